import { sql } from 'drizzle-orm'
import { one, rows } from './rows'
import type { Db } from './types'

/**
 * Joins in this transaction are not nested loops where another join can do it. For statements on tables that were
 * filled a moment ago: without statistics, PostgreSQL expects a row where there are thousands, and reads the
 * other table once for each.
 */
export const preferHashJoins = (tx: Db): Promise<unknown> =>
  // The cost of the nested loops that remain would look as if compiling expressions were worth it.
  tx.execute(sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`)

/** The same for the statements of `work` alone. */
export async function withHashJoins<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  const settings = sql`current_setting('enable_nestloop') as nestloop, current_setting('jit') as jit`
  const before = one(await rows<{ nestloop: string; jit: string }>(tx, sql`select ${settings}`))
  await preferHashJoins(tx)
  const result = await work()
  await tx.execute(
    sql`select set_config('enable_nestloop', ${before.nestloop}::text, true), set_config('jit', ${before.jit}::text, true)`,
  )
  return result
}
