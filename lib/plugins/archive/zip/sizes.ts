import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import type { Entry } from './central-directory'
import { quote, refused } from './refusals'

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
export function checkArchiveSize(bytes: number, { MAX_ZIP_BYTES }: ArchiveLimits): void {
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
