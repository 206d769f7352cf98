import { setImmediate as otherRequests } from 'node:timers/promises'
import type JSZip from 'jszip'
import { type Entry, readCentralDirectory } from './central-directory'
import { type EndRecord, readEndRecord } from './end-record'
import { inflate } from './inflate'
import { checkLocalHeaders } from './local-headers'
import { refuseClashes } from './names'
import { damaged } from './refusals'
import { type ArchiveLimits, checkArchiveSize, checkDeclaredSizes, checkEntryCount } from './sizes'

/** A file of an archive: a safe relative path with `/` between its parts, and its content. */
export type ArchiveFile = { path: string; bytes: Uint8Array }

/**
 * Reads all files of a ZIP, in the order of its directory; folders are left out. Every declaration of
 * the archive is checked before jszip reads it, and jszip's results are checked against it: either the
 * files are exactly what was packed, or it throws, `too_large` over a limit, otherwise `invalid_input`,
 * with a sentence that names the entry. Holds at most `MAX_UNPACKED_BYTES` and two copies of `bytes`.
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
  checkLocalHeaders(view, entries, end.directoryOffset)
  // The checks above and jszip's loading take up to 100 ms each, without a pause.
  await otherRequests()
  return inflateAll(await load(bytes, end), entries)
}

async function load(bytes: Uint8Array, end: EndRecord): Promise<JSZip> {
  try {
    const { default: jszip } = await import('jszip')
    // `checkCRC32` would inflate everything in one go, before any limit applies.
    return await jszip.loadAsync(forJszip(bytes, end), { createFolders: false, checkCRC32: false })
  } catch (cause) {
    throw damaged('it cannot be read', cause)
  }
}

/**
 * jszip misreads zip64 records next to classic values (as Info-ZIP streams them) and signatures in
 * the comment. Within our limits a classic end record without a comment is always valid.
 */
function forJszip(bytes: Uint8Array, end: EndRecord): Uint8Array {
  // A plain view: jszip copies Buffers byte by byte.
  if (end.bare) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const copy = new Uint8Array(end.directoryEnd + 22)
  copy.set(bytes.subarray(0, end.directoryEnd))
  const view = new DataView(copy.buffer, end.directoryEnd)
  view.setUint32(0, 0x06054b50, true)
  view.setUint16(8, end.entryCount, true)
  view.setUint16(10, end.entryCount, true)
  view.setUint32(12, end.directoryEnd - end.directoryOffset, true)
  view.setUint32(16, end.directoryOffset, true)
  return copy
}

async function inflateAll(zip: JSZip, entries: Entry[]): Promise<ArchiveFile[]> {
  if (Object.keys(zip.files).length !== entries.length) throw damaged('entries are missing')
  const files: ArchiveFile[] = []
  for (const entry of entries) {
    if (entry.folder) continue
    const source = zip.files[entry.path]
    if (!source || source.dir) throw damaged('its names are not what they seem')
    files.push({ path: entry.path, bytes: await inflate(source, entry) })
  }
  return files
}
