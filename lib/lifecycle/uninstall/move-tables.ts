import { sql } from 'drizzle-orm'
import { ONE_AFTER_THE_OTHER, readCluster } from '@/lib/db/cluster'
import type { RemovedTable } from '@/lib/db/schema'
import { type Db, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import { toSql } from '@/lib/tables/step-to-sql'
import { storedReferences } from '@/lib/tables/stored-references'

/**
 * Moves the tables of entities out of the way: each into a schema that has the trash's name, with its indexes,
 * counters and triggers under their own names. Nothing is copied. References among them stay; those
 * to other tables are dropped, which would be in the way there. Drop them before the registry changes.
 */
export async function moveAway(
  tx: Db,
  batchId: string,
  going: readonly RegistryRow[],
): Promise<Pick<RemovedTable, 'entity' | 'home' | 'away' | 'schema'>[]> {
  const homes = [...new Set(going.map(({ row }) => row.tableSchema))]
  const away = (schema: string) =>
    `engine_trash_${batchId.replaceAll('-', '')}_${homes.indexOf(schema)}`
  const moved = going.map(({ row, schema }) => ({
    entity: row.name,
    home: { schema: row.tableSchema, name: row.tableName },
    away: away(row.tableSchema),
    schema,
  }))
  const isGoing = (table: TableName) => moved.some(({ home }) => isSame(home, table))
  for (const { table, reference } of await storedReferences(tx)) {
    if (!isGoing(table) || isGoing(reference.target)) continue
    for (const statement of toSql({ type: 'drop-reference', table, reference }))
      await tx.execute(statement)
  }
  await makeOnNodes(tx, homes.map(away))
  for (const home of homes)
    await tx.execute(sql`create schema if not exists ${sql.identifier(away(home))}`)
  for (const { home, away: to } of moved) await moveTo(tx, home, to)
  return moved
}

/** Moves tables back to where they were. */
export async function moveHome(tx: Db, tables: readonly RemovedTable[]): Promise<void> {
  await makeOnNodes(
    tx,
    tables.map(({ home }) => home.schema),
  )
  for (const { home, away } of tables) {
    await tx.execute(sql`create schema if not exists ${sql.identifier(home.schema)}`)
    await moveTo(tx, { schema: away, name: home.name }, home.schema)
  }
  for (const away of new Set(tables.map((table) => table.away)))
    await tx.execute(sql`drop schema ${sql.identifier(away)}`)
}

/**
 * On a cluster, makes schemas at once, on all nodes: those of this transaction are not visible to the connections by which
 * tables are moved there. An empty one may be left behind.
 */
async function makeOnNodes(tx: Db, schemas: readonly string[]): Promise<void> {
  if (!(await readCluster(tx))) return
  await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
  for (const schema of schemas)
    await tx.execute(
      sql`select run_command_on_all_nodes(format('create schema if not exists %I', ${schema}::text))`,
    )
}

const moveTo = (tx: Db, from: TableName, schema: string) =>
  tx.execute(sql`alter table ${tableSql(from)} set schema ${sql.identifier(schema)}`)

const isSame = (a: TableName, b: TableName) => a.schema === b.schema && a.name === b.name
