import { stat } from 'node:fs/promises'
import { AppError } from '@/lib/errors'
import { readAt } from '@/lib/values/read-at'
import { type Entry, readCentralDirectory } from './zip/central-directory'
import { type EndRecord, readEndRecord } from './zip/end-record'
import { damaged } from './zip/names'
import { type ArchiveLimits, checkDeclaredSizes, checkEntryCount } from './zip/read-archive'

export { STORED } from './zip/central-directory'

/** A file of a ZIP, as its directory declares it. */
export type ZipEntry = Entry

/** The end record with the longest comment, and what it has in front of it with zip64. */
const MAX_END_BYTES = 128 * 1024
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024

/**
 * The files of a ZIP on the disk, without unpacking any; only its directory is read. Throws `invalid_input` for a directory that is
 * damaged or declares impossible sizes, `too_large` over a limit.
 */
export async function readZipDirectory(
  path: string,
  limits: Omit<ArchiveLimits, 'MAX_ZIP_BYTES'>,
): Promise<ZipEntry[]> {
  const { size } = await stat(path)
  const all = { ...limits, MAX_ZIP_BYTES: size }
  const from = Math.max(0, size - MAX_END_BYTES)
  const end = readEndRecord(viewOf(await readAt(path, from, MAX_END_BYTES)), from)
  checkEntryCount(end.entryCount, all)
  const directory = viewOf(await readDirectory(path, end))
  const entries = readCentralDirectory(
    directory,
    { ...end, directoryOffset: 0, directoryEnd: directory.byteLength },
    limits.MAX_DEPTH,
  )
  checkDeclaredSizes(entries, all)
  return entries.filter(({ folder }) => !folder)
}

async function readDirectory(path: string, { directoryOffset, directoryEnd }: EndRecord) {
  const length = directoryEnd - directoryOffset
  if (length > MAX_DIRECTORY_BYTES) throw new AppError('too_large', TOO_LONG)
  const found = await readAt(path, directoryOffset, length)
  if (found.length < length) throw damaged('its directory ends before its end')
  return found
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) =>
  new DataView(buffer, byteOffset, byteLength)

const TOO_LONG = 'The directory of the archive is larger than 8 MiB; pack fewer files'
