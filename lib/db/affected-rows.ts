import type { SQL } from 'drizzle-orm'
import type { Db } from './types'

/** Runs a statement and answers how many rows it wrote. */
export async function affectedRows(db: Db, statement: SQL): Promise<number> {
  const result: unknown = await db.execute(statement)
  const { count, affectedRows } = result as { count?: number; affectedRows?: number }
  return Number(count ?? affectedRows ?? 0)
}
