import { Readable } from 'node:stream'
import JSZip from 'jszip'
import { AppError } from '@/lib/errors'

const MAX_BYTES = 1024 ** 3

/**
 * The files of an archive that a server sent, by their paths. Throws `invalid_input` for one that is damaged, has paths that
 * lead elsewhere, or unpacks to more than is kept in memory.
 */
export async function unzip(
  bytes: Uint8Array,
  maxBytes = MAX_BYTES,
): Promise<Map<string, Uint8Array>> {
  const zip = await JSZip.loadAsync(bytes).catch(() => {
    throw new AppError('invalid_input', 'The server sent no archive of a plugin')
  })
  const files = new Map<string, Uint8Array>()
  let left = Math.min(maxBytes, MAX_BYTES)
  for (const file of Object.values(zip.files)) {
    requireSafe(file.unsafeOriginalName ?? file.name)
    if (file.dir) continue
    const content = await unpacked(file, left)
    left -= content.length
    files.set(file.name, content)
  }
  return files
}

async function unpacked(file: JSZip.JSZipObject, most: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of new Readable().wrap(file.nodeStream())) {
      size += chunk.length
      if (size > most) break
      chunks.push(chunk)
    }
  } catch {
    throw new AppError('invalid_input', `The archive that the server sent is damaged: ${file.name}`)
  }
  if (size > most)
    throw new AppError('invalid_input', 'The archive that the server sent unpacks to too much')
  return Buffer.concat(chunks)
}

/** What a server sends must not be written outside of the folder, nor where programs keep what they run, such as `.git`. */
export function requireSafe(path: string): void {
  const isSafe = path.split('/').every((part) => !part.startsWith('.'))
  if (!isSafe || path.startsWith('/') || /[\\\0]/.test(path))
    throw new AppError('invalid_input', `Unsafe path ${JSON.stringify(path)}`)
}
