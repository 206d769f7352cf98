import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { GuardedPool } from './guarded-pool'
import type { Db } from './types'

/**
 * Runs a statement that no transaction may contain, and that waits for locks as long as it takes: building or
 * dropping an index concurrently. The statement must have no parameters.
 */
export async function runAlone(db: Db, statement: SQL): Promise<void> {
  const pool = (db as unknown as { $client: GuardedPool }).$client
  const client = await pool.connect()
  try {
    const result = (await client.query(`select current_setting('lock_timeout') as ms`)) as {
      rows: { ms: string }[]
    }
    await client.query('set lock_timeout = 0')
    try {
      await client.query(new PgDialect().sqlToQuery(statement).sql)
    } finally {
      await client.query(`set lock_timeout = '${result.rows[0]?.ms ?? 0}'`)
    }
  } finally {
    client.release()
  }
}
