import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { RegistryRow } from '@/lib/registry/registry-rows'

/**
 * The entities that `read` finds, with others kept off their tables until the transaction ends. Read
 * again under the lock, so that what is planned for is what is there. The tables come before the
 * registry, as they do for writers of records: in another order the two could deadlock.
 */
export async function lockEntities(
  tx: Db,
  read: () => Promise<RegistryRow[]>,
): Promise<RegistryRow[]> {
  const found = await read()
  for (const { row } of found) {
    const table = tableSql({ schema: row.tableSchema, name: row.tableName })
    await tx.execute(sql`lock table ${table} in access exclusive mode`)
  }
  return found.length > 0 ? read() : found
}
