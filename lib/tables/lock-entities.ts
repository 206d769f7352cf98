import { sql } from 'drizzle-orm'
import { type Db, tableSql } from '@/lib/db/sql'
import type { RegistryRow } from '@/lib/registry/registry-rows'

/**
 * The entities that `read` has `found`, with their tables locked until the transaction ends. Reads them
 * again under the lock, so that the plan is made for the actual state. Locks the tables before the
 * registry, as writers of records do: the opposite order could deadlock.
 */
export async function lockEntities(
  tx: Db,
  found: RegistryRow[],
  read: () => Promise<RegistryRow[]>,
): Promise<RegistryRow[]> {
  for (const { row } of found) {
    const table = tableSql({ schema: row.tableSchema, name: row.tableName })
    await tx.execute(sql`lock table ${table} in access exclusive mode`)
  }
  return found.length > 0 ? read() : found
}
