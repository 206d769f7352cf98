import { randomUUID } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import { type CopyOut, copyText, inlined } from './copy-out'

const BATCH_SIZE = 5_000

/**
 * The result is put down in a temporary table first and read from there in batches: its one connection
 * can't be kept from everybody else while somebody downloads, and a COPY would be all in memory.
 */
export const pgliteCopy = (client: PGlite): CopyOut =>
  async function* copy({ query, width, format }, signal) {
    const table = `pg_temp."copy_${randomUUID()}"`
    const columns = Array.from({ length: width }, (_, at) => `"c${at}"`).join(', ')
    try {
      await client.exec(
        `create temp table ${table} as select row_number() over () as "$n", q.* from (${inlined(query)}) as q`,
      )
      await client.exec(`create unique index on ${table} ("$n")`)
      for (let from = 0; ; from += BATCH_SIZE) {
        signal.throwIfAborted()
        const batch = `select ${columns} from ${table} where "$n" > ${from} and "$n" <= ${from + BATCH_SIZE} order by "$n"`
        const { blob } = await client.query(copyText(batch, format, `'/dev/blob'`))
        if (!blob || blob.size === 0) return
        yield Buffer.from(await blob.arrayBuffer())
      }
    } finally {
      await client.exec(`drop table if exists ${table}`)
    }
  }
