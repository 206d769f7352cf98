import { readFile } from 'node:fs/promises'
import { AppError } from '@/lib/errors'
import { readZipDirectory, type ZipEntry } from '@/lib/plugins/read-zip-directory'
import { formatBytes } from '@/lib/values/format-bytes'
import { FileFault } from './file-fault'

/** Sheets are streamed; the texts and styles of all cells are held. */
const LIMITS = {
  MAX_UNPACKED_BYTES: 2 * 1024 * 1024 * 1024,
  MAX_ENTRY_BYTES: 2 * 1024 * 1024 * 1024 - 1,
  MAX_ENTRIES: 5_000,
  MAX_DEPTH: 16,
}
const MAX_HELD_BYTES = 128 * 1024 * 1024

/**
 * Refuses a workbook whose directory declares more than it may unpack to, before anything is unpacked; the reader holds each part to
 * what is declared. Throws `FileFault`.
 */
export async function checkContainer(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0xd0cf11e0) throw new FileFault(PROTECTED)
  if (bytes.toString('latin1', 0, 2) !== 'PK') throw new FileFault(NO_WORKBOOK)
  const large = directoryOf(bytes).find(
    ({ path, bytes }) => bytes > MAX_HELD_BYTES && /\.(xml|rels)$/i.test(path) && !isSheet(path),
  )
  if (!large) return
  const most = formatBytes(MAX_HELD_BYTES)
  throw new FileFault(`"${large.path}" unpacks to more than ${most}; save the sheet as CSV`)
}

function directoryOf(bytes: Uint8Array): ZipEntry[] {
  try {
    return readZipDirectory(bytes, LIMITS)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new FileFault(`The workbook can't be read: ${error.message}`)
  }
}

const isSheet = (path: string) => /^xl\/worksheets\/[^/]+\.xml$/i.test(path)

const NO_WORKBOOK = 'The file is no workbook (XLSX); save it as XLSX or CSV'
const PROTECTED =
  'The workbook has a password, or is an XLS; save it as XLSX without one, or as CSV'
