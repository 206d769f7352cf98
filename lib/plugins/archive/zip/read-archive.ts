import { setImmediate as otherRequests } from 'node:timers/promises'
import { turnGiver } from '@/lib/async/turns'
import { readCentralDirectory } from './central-directory'
import { readEndRecord } from './end-record'
import { inflate } from './inflate'
import { readLocalHeaders } from './local-headers'
import { refuseClashes } from './names'
import { type ArchiveLimits, checkArchiveSize, checkDeclaredSizes, checkEntryCount } from './sizes'

/** A file of an archive: a safe relative path with `/` between its parts, and its content. */
export type ArchiveFile = { path: string; bytes: Uint8Array }

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
