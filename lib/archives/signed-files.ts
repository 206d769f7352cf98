import { createHash } from 'node:crypto'
import { turnGiver } from '@/lib/async/turns'
import { AppError } from '@/lib/errors'
import { digestOf, readSignature, type Signed } from '@/lib/signatures/signature'
import { folderOf, type OpenArchive, SIGNATURE_FILE } from './open-archive'

/** The signature that an archive holds, not verified; null for one without. Throws `invalid_input` for a damaged one. */
export async function readSigned({ entries, layout }: OpenArchive): Promise<Signed | null> {
  const root = folderOf(layout.pluginFile)
  const bytes = entries.get(root + SIGNATURE_FILE)
  if (!bytes) return null
  const signature = readSignature(bytes)
  return { signature, digest: digestOf(await signedList(entries, root)) }
}

/**
 * What a signature signs: the SHA-256 of every other file with its path below `root`, in the order of the paths' bytes, as
 * `sha256sum` prints them. Throws `invalid_input` for files beside the plugin's folder, which no path below it could name.
 */
export async function signedList(entries: OpenArchive['entries'], root = ''): Promise<string> {
  const giveTurn = turnGiver()
  const lines: { path: Buffer; line: string }[] = []
  for (const [path, bytes] of entries) {
    if (path === root + SIGNATURE_FILE) continue
    if (!path.startsWith(root)) throw new AppError('invalid_input', OUTSIDE)
    const below = path.slice(root.length)
    const hash = createHash('sha256')
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      hash.update(bytes.subarray(from, from + CHUNK_BYTES))
      await giveTurn()
    }
    lines.push({ path: Buffer.from(below), line: `${hash.digest('hex')}  ${below}\n` })
  }
  lines.sort((a, b) => Buffer.compare(a.path, b.path))
  return lines.map(({ line }) => line).join('')
}

const CHUNK_BYTES = 1024 * 1024

const OUTSIDE =
  'The archive has files beside the folder that is signed: install it as its publisher made it'
