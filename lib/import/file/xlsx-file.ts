import { stat } from 'node:fs/promises'
import { cellsOf, MAX_COLUMNS, tooManyColumns, type UsedColumns, usedColumns } from './name-columns'
import { readBeginning } from './read-text'
import { FileFault, type Source, type SourceRow } from './source'
import { readSheet } from './xlsx/read-sheet'
import type { SheetRow } from './xlsx/sheet-rows'

/** One sheet of a workbook, by default the first; its first line that is not blank has the names of the columns. */
export async function xlsxFile(path: string, sheet: string | undefined): Promise<Source> {
  await refuseOthers(path)
  const { size } = await stat(path)
  const columns = columnsOf(await firstRows(readSheet(path, sheet), sheet))
  async function* rows(onBytes: (bytes: number) => void): AsyncGenerator<SourceRow[]> {
    let isFirst = true
    for await (const batch of readSheet(path, sheet, onBytes)) {
      const data = isFirst ? batch.slice(1) : batch
      isFirst = false
      yield data.map((row) => toRow(row, columns))
    }
    onBytes(size)
  }
  return { format: 'xlsx', columns: columns.names, rows }
}

async function refuseOthers(path: string): Promise<void> {
  const beginning = Buffer.from((await readBeginning(path)).subarray(0, 4))
  if (beginning.toString('hex') === 'd0cf11e0') throw new FileFault(PROTECTED)
  if (beginning.toString('latin1', 0, 2) !== 'PK') throw new FileFault(NO_WORKBOOK)
}

async function firstRows(batches: AsyncGenerator<SheetRow[]>, sheet: string | undefined) {
  for await (const batch of batches) return batch
  throw new FileFault(
    sheet === undefined
      ? 'The first sheet is empty; its first line names the columns'
      : `There is no sheet "${sheet}" with a line that names the columns`,
  )
}

function columnsOf([first, ...following]: SheetRow[]): UsedColumns {
  const { cells = [], width = 0, fault } = first ?? {}
  if (width > MAX_COLUMNS) throw tooManyColumns(width)
  if (fault !== undefined) throw new FileFault(`The first line ${fault}`)
  return usedColumns(
    cells,
    following.map((row) => row.cells),
  )
}

function toRow(row: SheetRow, columns: UsedColumns): SourceRow {
  const used = cellsOf(row.cells, columns)
  const isTooLong = row.width > columns.width
  const tooLong = `has ${row.width} cells, but the first line has ${columns.width}`
  const fault = row.fault ?? (isTooLong ? tooLong : used.fault)
  return fault === undefined ? used : { cells: used.cells, fault }
}

const NO_WORKBOOK = 'The file is no workbook (XLSX); save it as XLSX or CSV'
const PROTECTED =
  'The workbook has a password, or is an XLS; save it as XLSX without one, or as CSV'
