import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import { relationExists } from '@/lib/tables/stored-tables'

/** The entities whose table is there; somebody may have dropped one by hand. */
export async function withTables<T extends { table: TableName }>(
  tx: Db,
  entities: readonly T[],
): Promise<T[]> {
  const found: T[] = []
  for (const entity of entities) if (await relationExists(tx, entity.table)) found.push(entity)
  return found
}

/** The same of rows of the registry, each with the name of its table. */
export const storedTables = (tx: Db, entities: readonly RegistryRow[]) =>
  withTables(
    tx,
    entities.map((found) => ({
      ...found,
      table: { schema: found.row.tableSchema, name: found.row.tableName },
    })),
  )

/** Locks the tables of entities against all others until the transaction ends. */
export async function lockTables(tx: Db, entities: readonly RegistryRow[]): Promise<void> {
  for (const { table } of await storedTables(tx, entities))
    await tx.execute(sql`lock table ${tableSql(table)} in access exclusive mode`)
}
