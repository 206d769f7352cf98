import type { SQL } from 'drizzle-orm'
import type { Db } from './types'

/**
 * Runs raw SQL and returns its rows. Drivers differ in how they read `bigint`, `numeric` and times:
 * cast those in the SQL (`::int`, `::text`).
 */
export async function rows<Row>(db: Db, query: SQL): Promise<Row[]> {
  const result: unknown = await db.execute(query)
  return Array.isArray(result) ? (result as Row[]) : (result as { rows: Row[] }).rows
}

/** The only row of a result that always has one, such as `insert … returning`. */
export function one<Row>(found: Row[]): Row {
  const [row] = found
  if (found.length !== 1 || row === undefined)
    throw new Error(`Expected 1 row, got ${found.length}`)
  return row
}
