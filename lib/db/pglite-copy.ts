import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { currentBudget, withOwnBudget } from './budget'
import { type CopyOut, copyText, inlined } from './copy-out'
import { CopyStream } from './copy-stream'
import type { GuardedPool } from './guarded-pool'

const BATCH_SIZE = 5_000

/**
 * Stores the result in a temporary table first and reads it from there in batches: a download must
 * not hold the only connection.
 */
export const pgliteCopy = (guarded: GuardedPool, pool: Pool): CopyOut =>
  async function* copy({ query, width, format }, signal) {
    const table = `pg_temp."copy_${randomUUID()}"`
    const columns = Array.from({ length: width }, (_, at) => `"c${at}"`).join(', ')
    const { request } = currentBudget()
    const run = (statement: string) =>
      withOwnBudget({ signal, request }, () => guarded.query(statement))
    try {
      await run(
        `create temp table ${table} as select row_number() over () as "$n", q.* from (${inlined(query)}) as q`,
      )
      await run(`create unique index on ${table} ("$n")`)
      for (let from = 0; ; from += BATCH_SIZE) {
        signal.throwIfAborted()
        const batch = `select ${columns} from ${table} where "$n" > ${from} and "$n" <= ${from + BATCH_SIZE} order by "$n"`
        const lines = await copyAll(pool, copyText(batch, format, 'stdout'))
        if (lines.length === 0) return
        yield lines
      }
    } finally {
      await withOwnBudget({}, () => guarded.query(`drop table if exists ${table}`))
    }
  }

async function copyAll(pool: Pool, statement: string): Promise<Buffer> {
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    for await (const chunk of client.query(new CopyStream(statement))) chunks.push(chunk)
    return Buffer.concat(chunks)
  } finally {
    client.release()
  }
}
