import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'
import { relationExists } from '@/lib/tables/stored-tables'

/**
 * Locks a table as the statements that write do: nobody changes it until the transaction ends. Answers
 * false for a table that is gone by now: it belongs to a definition of yesterday.
 */
export async function lockForWriting(tx: Db, table: TableName): Promise<boolean> {
  if (!(await relationExists(tx, table))) return false
  await tx.execute(sql`lock table ${tableSql(table)} in row exclusive mode`)
  return true
}
