import { readCentralDirectory } from './archive/zip/central-directory'
import { readEndRecord } from './archive/zip/end-record'
import { type ArchiveLimits, checkDeclaredSizes, checkEntryCount } from './archive/zip/sizes'

/** A file of a ZIP with the size that it declares to unpack to. */
export type ZipEntry = { path: string; bytes: number }

/**
 * The files of a ZIP, without unpacking any. Throws `invalid_input` for a directory that is damaged or declares impossible
 * sizes, `too_large` over a limit.
 */
export function readZipDirectory(
  bytes: Uint8Array,
  limits: Omit<ArchiveLimits, 'MAX_ZIP_BYTES'>,
): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = readEndRecord(view)
  const all = { ...limits, MAX_ZIP_BYTES: bytes.length }
  checkEntryCount(end.entryCount, all)
  const entries = readCentralDirectory(view, end, limits.MAX_DEPTH)
  checkDeclaredSizes(entries, all)
  return entries.filter(({ folder }) => !folder).map(({ path, bytes }) => ({ path, bytes }))
}
