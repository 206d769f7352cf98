import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'
import { relationExists } from '@/lib/tables/stored-tables'

/**
 * Locks a table as statements that write do: it can't be changed until the transaction ends. Returns
 * false for a table that no longer exists: it belongs to an old definition.
 */
export async function lockForWriting(tx: Db, table: TableName): Promise<boolean> {
  if (!(await relationExists(tx, table))) return false
  await tx.execute(sql`lock table ${tableSql(table)} in row exclusive mode`)
  return true
}
