import { setImmediate as otherRequests } from 'node:timers/promises'
import { turnGiver } from '@/lib/async/turns'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { type Entry, readCentralDirectory } from './central-directory'
import { inflate, readLocalHeaders } from './contents'
import { readEndRecord } from './end-record'
import { quote, refuseClashes, refused } from './names'

/** A file of an archive: a safe relative path with `/` between its parts, and its content. */
type ArchiveFile = { path: string; bytes: Uint8Array }

/**
 * Reads all files of a ZIP, in the order of its directory; folders are left out. Every declaration of
 * the archive is checked before anything is inflated, and each content against its declaration: either the
 * files are exactly what was packed, or it throws, `too_large` over a limit, otherwise `invalid_input`,
 * with a sentence that names the entry. Takes at most `MAX_UNPACKED_BYTES`, beside `bytes`.
 */
export async function readArchive(
  bytes: Uint8Array,
  limits: ArchiveLimits,
): Promise<ArchiveFile[]> {
  checkArchiveSize(bytes.length, limits)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = readEndRecord(view)
  checkEntryCount(end.entryCount, limits)
  const entries = readCentralDirectory(view, end, limits.MAX_DEPTH)
  refuseClashes(entries.map(({ path }) => path))
  checkDeclaredSizes(entries, limits)
  const packed = readLocalHeaders(view, entries, end.directoryOffset)
  // The checks above take up to 100 ms, without a pause.
  await otherRequests()
  const giveTurn = turnGiver()
  const files: ArchiveFile[] = []
  for (const entry of entries.filter(({ folder }) => !folder)) {
    const bytes = await inflate(packed.get(entry) ?? new Uint8Array(), entry)
    files.push({ path: entry.path, bytes })
    await giveTurn()
  }
  return files
}

/** Bytes, entries (folders too), and parts of a path. The defaults are in `lib/env.ts`. */
export type ArchiveLimits = Pick<
  Env,
  'MAX_ZIP_BYTES' | 'MAX_UNPACKED_BYTES' | 'MAX_ENTRY_BYTES' | 'MAX_ENTRIES' | 'MAX_DEPTH'
>

/** Deflate makes at most 258 bytes of two bits. */
const MAX_RATIO = 1032
/** An empty file or folder: no data, or an empty deflate stream. */
const MAX_EMPTY_BYTES = 8

/** Throws `too_large` when the packed size or the number of entries exceeds its limit. */
function checkArchiveSize(bytes: number, { MAX_ZIP_BYTES }: ArchiveLimits): void {
  if (bytes > MAX_ZIP_BYTES)
    throw new AppError('too_large', `The archive is larger than ${formatBytes(MAX_ZIP_BYTES)}`)
}

export function checkEntryCount(count: number, { MAX_ENTRIES }: ArchiveLimits): void {
  if (count > MAX_ENTRIES)
    throw new AppError(
      'too_large',
      `The archive has ${count} entries, at most ${MAX_ENTRIES} are allowed; split it`,
    )
}

/**
 * Checks the declared sizes before memory is allocated: `too_large` over a limit,
 * `invalid_input` for sizes that cannot be true.
 */
export function checkDeclaredSizes(entries: Entry[], limits: ArchiveLimits): void {
  let total = 0
  for (const entry of entries) {
    if (entry.bytes > limits.MAX_ENTRY_BYTES) throw entryTooLarge(entry, limits)
    if (!isPlausible(entry)) throw refused(entry.path, 'declares impossible sizes; pack it again')
    total += entry.bytes
    if (total > limits.MAX_UNPACKED_BYTES) throw unpackedTooLarge(limits)
  }
}

function isPlausible({ folder, method, packedBytes, bytes, crc }: Entry): boolean {
  if (bytes === 0) return packedBytes <= MAX_EMPTY_BYTES && crc === 0
  if (folder) return false
  return method === 0 ? packedBytes === bytes : bytes <= packedBytes * MAX_RATIO
}

const entryTooLarge = ({ path, bytes }: Entry, { MAX_ENTRY_BYTES }: ArchiveLimits) =>
  new AppError(
    'too_large',
    `The archive's entry ${quote(path)} unpacks to ${formatBytes(bytes)}, at most ${formatBytes(MAX_ENTRY_BYTES)} are allowed; split it`,
  )

const unpackedTooLarge = ({ MAX_UNPACKED_BYTES }: ArchiveLimits) =>
  new AppError(
    'too_large',
    `The archive unpacks to more than ${formatBytes(MAX_UNPACKED_BYTES)}; split it`,
  )
