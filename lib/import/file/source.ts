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
