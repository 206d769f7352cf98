import type { SQLWrapper } from 'drizzle-orm'
import type { Db } from './types'

/** Runs a statement and returns how many rows it wrote. */
export async function affectedRows(db: Db, statement: SQLWrapper): Promise<number> {
  const result: unknown = await db.execute(statement)
  const { rowCount, affectedRows } = result as { rowCount?: number; affectedRows?: number }
  return rowCount ?? affectedRows ?? 0
}
