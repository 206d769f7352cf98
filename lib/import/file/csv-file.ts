import { CsvRows, csvFormOf } from './csv-rows'
import { FileFault } from './file-fault'
import { nameColumns } from './name-columns'
import { type Encoding, readText } from './read-text'
import type { Source, SourceRow } from './source'

/** A CSV file whose first line has the names of the columns. */
export async function csvFile(
  path: string,
  encoding: Encoding,
  delimiter: string | undefined,
): Promise<Source> {
  const form = { ...(await formOf(path, encoding)), ...(delimiter ? { delimiter } : {}) }
  const batches = async function* (onBytes?: (bytes: number) => void) {
    const reader = new CsvRows(form)
    for await (const text of readText(path, encoding, onBytes)) {
      const rows = reader.push(text)
      if (rows.length > 0) yield rows
    }
    yield reader.end()
  }
  const columns = nameColumns(await firstRow(batches()))
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

async function formOf(path: string, encoding: Encoding) {
  for await (const text of readText(path, encoding)) return csvFormOf(text)
  throw new FileFault('The file is empty')
}

async function firstRow(batches: AsyncGenerator<(string | null)[][]>) {
  for await (const [row] of batches) if (row) return row
  throw new FileFault('The file is empty; its first line names the columns')
}
