import { withFormulas } from '@/lib/export/csv-formula'
import { CsvRows, csvFormOf } from './csv-rows'
import { nameColumns } from './name-columns'
import { readText } from './read-text'
import { type Encoding, FileFault, type FileForm, type Source, type SourceRow } from './source'

/** A CSV file whose first line has the names of the columns. The last row of one that `isCut` is left out. */
export async function csvFile(
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
