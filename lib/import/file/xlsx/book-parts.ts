import { readZipDirectory, type ZipEntry } from '@/lib/archives/read-zip-directory'
import { AppError } from '@/lib/errors'
import { FileFault } from '../source'

const LIMITS = {
  MAX_UNPACKED_BYTES: 2 * 1024 * 1024 * 1024,
  MAX_ENTRY_BYTES: 2 * 1024 * 1024 * 1024 - 1,
  MAX_ENTRIES: 5_000,
  MAX_DEPTH: 16,
}

/** The parts of a workbook on the disk by their paths, which are compared without case. */
export type BookParts = { path: string; parts: ReadonlyMap<string, ZipEntry> }

/** Reads the directory of a workbook; nothing is unpacked. Throws `FileFault`. */
export async function openParts(path: string): Promise<BookParts> {
  try {
    const entries = await readZipDirectory(path, LIMITS)
    const parts = new Map(entries.map((entry) => [entry.path.toLowerCase(), entry]))
    if (parts.size < entries.length) throw bookFault('it holds two parts of one name')
    return { path, parts }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new FileFault(`The workbook can't be read: ${error.message}`)
  }
}

/** The workbook can't be read, or not beyond some place; `reason` says where, and `then` what to do. */
export const bookFault = (reason: string, then = 'save it again as XLSX, or as CSV'): FileFault =>
  new FileFault(`The workbook can't be read: ${reason}; ${then}`)
