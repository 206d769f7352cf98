import { stat } from 'node:fs/promises'
import type { ImportRow } from '@/lib/db/schema'
import { withFormulas } from '@/lib/export/csv-formula'
import { CsvRows, csvFormOf } from './csv-rows'
import { jsonFile, jsonFormOf, jsonLinesFile } from './json-file'
import {
  cellsOf,
  MAX_COLUMNS,
  nameColumns,
  tooManyColumns,
  type UsedColumns,
  usedColumns,
} from './name-columns'
import { encodingOf, readBeginning, readText } from './read-text'
import { type Encoding, FileFault, type FileForm, type Source, type SourceRow } from './source'
import { readSheet } from './xlsx/read-sheet'
import type { SheetRow } from './xlsx/sheet-rows'

/**
 * Opens a file by its format, which its name and its first bytes tell where it is not given, and reads the names of its columns.
 * Throws `FileFault`.
 */
export async function openFile(path: string, name: string, form: FileForm): Promise<Source> {
  const beginning = await readBeginning(path)
  const encoding = form.encoding ?? encodingOf(beginning)
  const text = new TextDecoder(encoding).decode(beginning)
  const told = jsonFormOf(text)
  const format = form.format ?? formatOf(name, text, told)
  if (told && format !== told && format in NAMES)
    throw new FileFault(`The file is ${NAMES[told]}; say format=${told}`)
  if (format === 'xlsx') return xlsxFile(path, form.sheet)
  if (format === 'json') return jsonFile(path, encoding, form)
  if (format === 'jsonl') return jsonLinesFile(path, encoding, form)
  return csvFile(path, encoding, form)
}

const BY_ENDING: Record<string, ImportRow['format']> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  xls: 'xlsx',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
}

type Told = ReturnType<typeof jsonFormOf>

const NAMES: Record<string, string> = {
  json: 'one JSON text',
  jsonl: 'JSON Lines, an object in each line',
}

function formatOf(name: string, text: string, told: Told): ImportRow['format'] {
  const found = BY_ENDING[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '']
  if (found) return told && found in NAMES ? told : found
  if (text.startsWith('PK')) return 'xlsx'
  return told ?? (text.trimStart().startsWith('{') ? 'json' : 'csv')
}

/** A CSV file whose first line has the names of the columns. The last row of one that `isCut` is left out. */
async function csvFile(
  path: string,
  encoding: Encoding,
  { delimiter, isCut = false }: FileForm,
): Promise<Source> {
  const form = { ...(await formOf(path, encoding, isCut)), ...(delimiter ? { delimiter } : {}) }
  const batches = async function* (onBytes?: (bytes: number) => void) {
    const reader = new CsvRows(form)
    let isSaid = form.isSaid === true
    for await (const text of readText(path, encoding, { onBytes, isCut })) {
      const rows = reader.push(text)
      if (isSaid && rows.shift()) isSaid = false
      if (rows.length > 0) yield rows
    }
    if (!isCut) yield reader.end()
  }
  const names = await firstRow(batches())
  const columns = nameColumns(names.map((name) => name && withFormulas(name)))
  async function* rows(onBytes: (bytes: number) => void): AsyncGenerator<SourceRow[]> {
    let isFirst = true
    for await (const batch of batches(onBytes)) {
      const data = isFirst ? batch.slice(1) : batch
      isFirst &&= batch.length === 0
      yield data.map((cells) => toRow(cells, columns.length))
    }
  }
  return { format: 'csv', columns, rows }
}

/** Cells that a row lacks at its end are empty. */
function toRow(cells: (string | null)[], count: number): SourceRow {
  if (cells.length <= count || cells.slice(count).every((cell) => cell === null)) return { cells }
  return { cells, fault: `has ${cells.length} cells, but the first line has ${count}` }
}

async function formOf(path: string, encoding: Encoding, isCut: boolean) {
  for await (const text of readText(path, encoding, { isCut })) return csvFormOf(text)
  throw new FileFault('The file is empty')
}

async function firstRow(batches: AsyncGenerator<(string | null)[][]>) {
  for await (const [row] of batches) if (row) return row
  throw new FileFault('The file is empty; its first line names the columns')
}

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
      yield data.map((row) => sheetRow(row, columns))
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

function sheetRow(row: SheetRow, columns: UsedColumns): SourceRow {
  const used = cellsOf(row.cells, columns)
  const isTooLong = row.width > columns.width
  const tooLong = `has ${row.width} cells, but the first line has ${columns.width}`
  const fault = row.fault ?? (isTooLong ? tooLong : used.fault)
  return fault === undefined ? used : { cells: used.cells, fault }
}

const NO_WORKBOOK = 'The file is no workbook (XLSX); save it as XLSX or CSV'
const PROTECTED =
  'The workbook has a password, or is an XLS; save it as XLSX without one, or as CSV'
