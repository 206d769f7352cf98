import { isObject } from '@/lib/values/json'
import { FileFault } from './file-fault'
import { MAX_COLUMNS } from './name-columns'
import type { SourceRow } from './source'

/** How many records say which fields a file has. */
const FIRST_RECORDS = 100

/** The names of the first records, in their order. Throws `FileFault` when there is none, and for too many. */
export async function namesOfFirst(batches: AsyncGenerator<SourceRow[]>): Promise<string[]> {
  const names = new Set<string>()
  let records = 0
  for await (const batch of batches) {
    for (const row of batch.slice(0, FIRST_RECORDS - records)) {
      records++
      if (!('record' in row) || !isObject(row.record)) continue
      for (const name of Object.keys(row.record)) names.add(name)
    }
    if (names.size > MAX_COLUMNS)
      throw new FileFault(`The records have more than ${MAX_COLUMNS} different names`)
    if (records >= FIRST_RECORDS) break
  }
  if (names.size === 0) throw new FileFault('The file has no records')
  return [...names]
}
