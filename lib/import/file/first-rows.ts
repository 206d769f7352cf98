import type { Source, SourceRow } from './source'

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
