import type { Source, SourceRow } from './source'

type Limits = { rows: number; bytes: number }

/** The first rows of a file, in batches: at most `rows`, and those that begin in the first `bytes`. Throws `FileFault`. */
export async function* firstRows(source: Source, limits: Limits): AsyncGenerator<SourceRow[]> {
  let [rows, bytes] = [0, 0]
  const onBytes = (read: number) => {
    bytes = read
  }
  for await (const batch of source.rows(onBytes)) {
    const taken = batch.slice(0, limits.rows - rows)
    rows += taken.length
    yield taken
    if (rows >= limits.rows || bytes >= limits.bytes) return
  }
}
