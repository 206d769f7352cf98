import { stat } from 'node:fs/promises'
import { formatBytes } from '@/lib/values/format-bytes'
import { checkContainer } from './check-container'
import { FileFault } from './file-fault'
import { nameColumns } from './name-columns'
import type { Cell, Source, SourceRow } from './source'
import { xlsxRows } from './xlsx-thread'

/** Of the file, which is in memory while it is read. */
const MAX_FILE_BYTES = 128 * 1024 * 1024

/** One sheet of a workbook, by default the first; its first line has the names of the columns. */
export async function xlsxFile(path: string, sheet: string | undefined): Promise<Source> {
  const { size } = await stat(path)
  if (size > MAX_FILE_BYTES)
    throw new FileFault(
      `A workbook of more than ${formatBytes(MAX_FILE_BYTES)} is not read; save the sheet as CSV`,
    )
  await checkContainer(path)
  const columns = nameColumns(await firstRow(xlsxRows(path, sheet), sheet))
  async function* rows(onBytes: (bytes: number) => void): AsyncGenerator<SourceRow[]> {
    let isBeforeData = true
    for await (const batch of xlsxRows(path, sheet)) {
      const filled = batch.filter(isFilled)
      const data = isBeforeData ? filled.slice(1) : filled
      isBeforeData &&= filled.length === 0
      yield data.map((cells) => toRow(cells.map(orNull), columns.length))
    }
    onBytes(size)
  }
  return { format: 'xlsx', columns, rows }
}

/** Formulas give empty texts where people see an empty cell. */
const orNull = (cell: Cell): Cell => (cell === '' ? null : cell)

const isFilled = (cells: readonly Cell[]) => cells.some((cell) => cell !== null && cell !== '')

async function firstRow(batches: AsyncGenerator<Cell[][]>, sheet: string | undefined) {
  for await (const batch of batches) {
    const found = batch.find(isFilled)
    if (found) return found
  }
  throw new FileFault(
    sheet === undefined
      ? 'The first sheet is empty; its first line names the columns'
      : `There is no sheet "${sheet}" with a line that names the columns`,
  )
}

/** What a spreadsheet shows where a formula failed. */
const ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

function toRow(cells: Cell[], count: number): SourceRow {
  if (cells.slice(count).some((cell) => cell !== null))
    return { cells, fault: `has ${cells.length} cells, but the first line has ${count}` }
  const error = cells.find((cell) => typeof cell === 'string' && ERROR.test(cell))
  return error === undefined ? { cells } : { cells, fault: `holds the error ${error} of a formula` }
}
