import type { SQL } from 'drizzle-orm'
import type { Db } from './types'

/** Runs a statement and answers how many rows it wrote. */
export async function affectedRows(db: Db, statement: SQL): Promise<number> {
  const result: unknown = await db.execute(statement)
  const { rowCount, affectedRows } = result as { rowCount?: number; affectedRows?: number }
  return rowCount ?? affectedRows ?? 0
}
