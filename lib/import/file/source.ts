import type { ImportRow } from '@/lib/db/schema'
import type { Json } from '@/lib/values/json'

/** A cell of a table: null is empty, and differs from an empty text, which CSV writes as `""`. */
export type Cell = string | number | boolean | null | Date | LongNumber

/** A number of a workbook beyond 2^53, which a double may round: the digits that the file has. */
export class LongNumber {
  constructor(private readonly digits: string) {}

  toString(): string {
    return this.digits
  }
}

/** A row of a file: cells in the order of the columns, or a record by its names; `fault`: why it can't be read. */
export type SourceRow =
  | { cells: readonly Cell[]; fault?: string }
  | { record: Json; fault?: string; text?: string }

/** A file that can be read more than once, from its beginning each time. */
export type Source = {
  format: ImportRow['format']
  /** Names in the first line; of JSON those of the first records. */
  columns: string[]
  /** In batches of about 256 KB. Throws `FileFault`. `onBytes` gets the number of bytes read so far. */
  rows: (onBytes: (bytes: number) => void) => AsyncGenerator<SourceRow[]>
}

/** A cell as text. Spreadsheets have no zone; a day is an instant at midnight. */
export function cellText(cell: Exclude<Cell, null>): string {
  if (!(cell instanceof Date)) return String(cell)
  if (Number.isNaN(cell.getTime())) return 'an invalid date'
  const iso = cell.toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso
}

/** The file can't be read, or not beyond some place; the message says where and what to do. */
export class FileFault extends Error {
  override readonly name = 'FileFault'

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'FileFault'
  }
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** What is said of a file; the rest is told by its name and its beginning. */
export type FileForm = {
  format?: ImportRow['format'] | undefined
  encoding?: Encoding | undefined
  delimiter?: string | undefined
  sheet?: string | undefined
  /** It is the beginning of a longer one. */
  isCut?: boolean
}

type Limits = { rows: number; bytes: number }

/**
 * The first rows of a file, in batches: at most `rows`, and those that begin in the first `bytes`, or characters where the file is
 * packed. Throws `FileFault`.
 */
export async function* firstRows(source: Source, limits: Limits): AsyncGenerator<SourceRow[]> {
  let [rows, bytes, chars] = [0, 0, 0]
  const onBytes = (read: number) => {
    bytes = read
  }
  for await (const batch of source.rows(onBytes)) {
    const taken = batch.slice(0, limits.rows - rows)
    rows += taken.length
    for (const row of taken) chars += charsOf(row)
    yield taken
    if (rows >= limits.rows || Math.max(bytes, chars) >= limits.bytes) return
  }
}

const charsOf = (row: SourceRow): number =>
  'cells' in row
    ? row.cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
    : 0
