import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { temporaryPath } from './temporary-files'

/** A file on this machine's disk that the caller removes. */
export type StoredFile = {
  path: string
  /** The client's file name, for display only: cleaned, never part of a path. */
  fileName: string
  /** The media type stated by the client; not checked. */
  declaredType: string
  bytes: number
  /** Of the content, in hex. */
  sha256: string
}

type Options = { maxFileBytes: number; folder: string }

/**
 * Streams `source` to a new temporary file. Throws `too_large` before a byte over the limit is
 * written and `unavailable` when the disk is full; the file is removed then.
 */
export async function storeFile(
  source: AsyncIterable<Uint8Array>,
  { fileName, declaredType }: { fileName: string; declaredType: string },
  options: Options,
): Promise<StoredFile> {
  const path = await temporaryPath(options.folder)
  const handle = await open(path, 'wx', 0o600)
  try {
    const written = await write(source, handle, options.maxFileBytes)
    return { path, fileName: cleanName(fileName), declaredType, ...written }
  } catch (error) {
    await rm(path, { force: true })
    throw translate(error)
  } finally {
    await handle.close()
  }
}

async function write(source: AsyncIterable<Uint8Array>, handle: FileHandle, maxBytes: number) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw fileTooLarge(maxBytes)
    hash.update(chunk)
    await handle.appendFile(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}

export const fileTooLarge = (maxBytes: number) =>
  new AppError('too_large', `The file is larger than ${formatBytes(maxBytes)}; send a smaller one`)

function translate(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new AppError('unavailable', 'The server has no disk space for the file at the moment', {
    retryAfter: 60,
    cause: error,
  })
}

/** At most 255 characters, one Unicode form, nothing invisible, no half character. */
function cleanName(name: string): string {
  const visible = name.normalize('NFC').replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '')
  return [...visible].slice(0, 255).join('').trim() || 'unnamed'
}
