import { sql } from 'drizzle-orm'
import type { Db } from './types'

/**
 * Joins in this transaction are not nested loops where another join can do it. For statements on tables that were
 * filled a moment ago: without statistics, PostgreSQL expects a row where there are thousands, and reads the
 * other table once for each.
 */
export const preferHashJoins = (tx: Db): Promise<unknown> =>
  // The cost of the nested loops that remain would look as if compiling expressions were worth it.
  tx.execute(sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`)
