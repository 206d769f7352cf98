import { MAX_COLUMNS } from '../name-columns'
import type { Cell } from '../source'
import { bookFault } from './book-parts'
import { type CellContext, SheetCell } from './sheet-cell'
import type { XmlEvents } from './xml-scanner'
import { attributeOf } from './xml-text'

/** A row that is not blank. */
export type SheetRow = {
  /** Of the first columns, as far as files may have them. */
  cells: Cell[]
  /** Number of the last column that is not empty. */
  width: number
  /** Of its texts; a cell without one counts some, too. */
  chars: number
  /** Why a cell can't be read. */
  fault?: string
}

/** Many cells may share one long text: so many characters in a row, in any sheet, and for each packed byte of it. */
const MAX_ROW_CHARS = 1024 * 1024
const MAX_CHARS = 64 * 1024 * 1024
const MAX_CHARS_PER_BYTE = 100
/** Cells that are left out before others cost nothing in the file: so many in any, and for each packed byte. */
const MAX_GAPS = 6_000_000
const MAX_GAPS_PER_BYTE = 64
/** What a cell without a text counts. */
const CELL_CHARS = 8

/** The rows of a sheet out of its tags and texts. */
export class SheetRows implements XmlEvents {
  private rows: SheetRow[] = []
  private isData = false
  private row: SheetRow | null = null
  private isCell = false
  private column = 0
  /** Of the cells of this row that are not empty. */
  private readonly columns: number[] = []
  private readonly values: Cell[] = []
  private number = 0
  private gaps = 0
  private allChars = 0
  private readonly cell: SheetCell
  private readonly maxGaps: number
  private readonly maxChars: number
  /** Of the rows that were not taken yet. */
  chars = 0

  constructor(context: CellContext, packedBytes: number) {
    this.cell = new SheetCell(context)
    this.maxChars = MAX_CHARS + MAX_CHARS_PER_BYTE * packedBytes
    this.maxGaps = MAX_GAPS + MAX_GAPS_PER_BYTE * packedBytes
  }

  get count(): number {
    return this.rows.length
  }

  /** The next rows: at least one, if there are any, and no further ones beyond `maxChars`. */
  take(maxChars: number): SheetRow[] {
    let [count, chars] = [0, 0]
    for (const row of this.rows) {
      if (count > 0 && chars + row.chars > maxChars) break
      count++
      chars += row.chars
    }
    this.chars -= chars
    return this.rows.splice(0, count)
  }

  open(name: string, attributes: string): void {
    if (this.isCell) this.cell.open(name)
    else if (name === 'sheetData') this.isData = true
    else if (name === 'row' && this.isData) {
      this.number = Number(attributeOf(attributes, 'r')) || this.number + 1
      this.row = { cells: [], width: 0, chars: 0 }
      this.column = 0
    } else if (name === 'c' && this.row) {
      this.isCell = true
      const column = columnOf(attributeOf(attributes, 'r')) ?? this.column + 1
      this.column = column
      this.cell.begin(attributes)
    }
  }

  text(text: string): void {
    if (this.isCell) this.cell.text(text)
  }

  /** Throws `FileFault` for more than a row or a sheet may hold. */
  close(name: string): void {
    if (name === 'c' && this.isCell) this.endCell()
    else if (this.isCell) this.cell.close(name)
    else if (name === 'row' && this.row) this.endRow()
    else if (name === 'sheetData') this.isData = false
  }

  private endCell(): void {
    this.isCell = false
    const row = this.row as SheetRow
    const { value, fault } = this.cell.end()
    row.chars += typeof value === 'string' ? value.length : CELL_CHARS
    if (row.chars > MAX_ROW_CHARS) throw bookFault(`row ${this.number} holds too much text`)
    if (fault) row.fault ??= fault
    if (value === null || value === '') return
    row.width = Math.max(row.width, this.column)
    if (this.column > MAX_COLUMNS) return
    this.columns.push(this.column)
    this.values.push(value)
  }

  private endRow(): void {
    const row = this.row as SheetRow
    this.row = null
    row.cells = this.takeCells(Math.min(row.width, MAX_COLUMNS))
    this.allChars += row.chars
    if (this.allChars > this.maxChars) throw bookFault('its cells hold too much text')
    row.chars += row.cells.length * CELL_CHARS
    if (row.width === 0 && row.fault === undefined) return
    this.rows.push(row)
    this.chars += row.chars
  }

  /** The cells of the row that ends, with those that are left out. */
  private takeCells(count: number): Cell[] {
    this.gaps += Math.max(0, count - this.columns.length)
    if (this.gaps > this.maxGaps) throw bookFault('too many of its cells are left out')
    const cells = new Array<Cell>(count).fill(null)
    for (const [n, column] of this.columns.entries()) {
      if (cells[column - 1] !== null) throw bookFault(`row ${this.number} holds a cell twice`)
      cells[column - 1] = this.values[n] as Cell
    }
    this.columns.length = 0
    this.values.length = 0
    return cells
  }
}

const SHEET_COLUMNS = 16_384

/** The number of a column of a reference such as `B2`. Throws `FileFault`. */
function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  let column = 0
  for (const letter of /^[A-Za-z]{1,3}(?=\d{1,7}$)/.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  if (column > 0 && column <= SHEET_COLUMNS) return column
  throw bookFault(`"${reference.slice(0, 20)}" is no cell`)
}
