import { randomUUID } from 'node:crypto'
import { asc, getTableName, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import {
  entities,
  entityTypes,
  plugins,
  policies,
  type RemovedPlugins,
  roles,
  schemas,
  trashBatches,
  webhooks,
} from '@/lib/db/schema'
import { type Db, lower, rows, tableSql } from '@/lib/db/sql'
import type { JsonObject } from '@/lib/values/json'
import { DECLARED_COLUMNS } from '../changes/record-definitions'
import { moveAway } from './move-tables'
import { type Removal, storedTables } from './removal'
import type { Counts } from './report'

type Away = {
  records: 'trash' | 'keep'
  counts: Counts
  days: number
  deletedBy: string
  /** The id of the plugin, of the first of several. */
  pluginId: string
}

const MAX_COUNT = 2 ** 31 - 1

/** Puts what plugins own, or entities of theirs, into the trash as one batch, and takes it out of the registry. */
export async function takeAway(
  tx: Db,
  removal: Removal,
  { records, counts, days, deletedBy, pluginId }: Away,
): Promise<{ batchId: string; expiresAt: string }> {
  const batchId = randomUUID()
  const ids = removal.plugins.map(({ id }) => id)
  const keeps = records === 'keep'
  const removed: RemovedPlugins = {
    plugins: await take(tx, plugins, inArray(plugins.id, ids)),
    roles: await take(tx, roles, named(roles.name, removal.roles)),
    policies: await take(tx, policies, named(policies.name, removal.policies)),
    webhooks: (await take(tx, webhooks, named(webhooks.name, removal.webhooks))).map(declaredPart),
    tables: keeps ? [] : await takeTables(tx, batchId, removal, counts),
    entities: keeps ? [] : await take(tx, entities, named(entities.name, rowsOf(removal))),
    schemas: keeps ? [] : await take(tx, schemas, named(schemas.name, removal.schemas)),
    types: keeps ? [] : await take(tx, entityTypes, named(entityTypes.name, removal.types)),
    kept: keeps ? await disown(tx, removal, ids) : [],
    remembers: true,
  }
  const total = removed.tables.reduce((sum, table) => sum + table.records, 0)
  const [batch] = await tx
    .insert(trashBatches)
    .values({
      id: batchId,
      kind: 'plugin',
      entity: pluginId,
      recordCount: Math.min(total, MAX_COUNT),
      columns: [],
      keys: [],
      properties: [],
      removed,
      deletedBy,
      expiresAt: sql`now() + make_interval(days => ${sql.raw(String(days))})`,
    })
    .returning({ expiresAt: trashBatches.expiresAt })
  return { batchId, expiresAt: batch?.expiresAt.toISOString() ?? '' }
}

const rowsOf = ({ entities: going }: Removal) => going.map(({ row }) => row)

const named = (column: AnyPgColumn, going: readonly { name: string }[]): SQL =>
  inArray(
    column,
    going.map(({ name }) => name),
  )

/** Addresses and secrets are forgotten: whoever restores the plugin could otherwise have the webhook send again. */
const declaredPart = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([column]) => DECLARED_COLUMNS.includes(column)))

async function take(tx: Db, table: Table, where: SQL) {
  const saved = await readRows(tx, table, where)
  await tx.delete(table).where(where)
  return saved
}

async function takeTables(tx: Db, batchId: string, removal: Removal, counts: Counts) {
  const moved = await moveAway(tx, batchId, await storedTables(tx, removal.entities))
  return moved.map((table) => ({ ...table, records: counts.get(table.entity)?.value ?? 0 }))
}

/** Definitions stay without an owner; the next plugin that defines them owns them. */
async function disown(tx: Db, removal: Removal, ids: readonly string[]) {
  const all = { entities, schemas, types: entityTypes }
  for (const table of Object.values(all))
    await tx
      .update(table as typeof entities)
      .set({ pluginId: null, updatedAt: sql`${table.updatedAt}` })
      .where(inArray(table.pluginId, [...ids]))
  const owned = {
    entities: removal.entities.map(({ row }) => row),
    schemas: removal.schemas,
    types: removal.types,
  }
  return (['entities', 'schemas', 'types'] as const).flatMap((kind) =>
    owned[kind].map(({ name, pluginId }) => ({ kind, name, pluginId: pluginId ?? '' })),
  )
}

type Table =
  | typeof plugins
  | typeof entities
  | typeof schemas
  | typeof entityTypes
  | typeof roles
  | typeof policies
  | typeof webhooks

const nameOf = (table: Table) => tableSql({ schema: 'engine', name: getTableName(table) })

/** Rows of a table of the engine as JSON, column → value. */
async function readRows(db: Db, table: Table, where: SQL): Promise<JsonObject[]> {
  const found = await rows<{ row: JsonObject }>(
    db,
    sql`select to_jsonb(t.*) as row from (select * from ${table} where ${where}) as t`,
  )
  return found.map(({ row }) => row)
}

/** Inserts rows as `readRows` gives them; columns that the table has since then get their defaults. */
export async function insertRows(
  tx: Db,
  table: Table,
  saved: readonly JsonObject[],
): Promise<void> {
  const [first] = saved
  if (!first) return
  const columns = sql.join(
    Object.keys(first).map((name) => sql.identifier(name)),
    sql`, `,
  )
  await tx.execute(
    sql`insert into ${nameOf(table)} (${columns})
        select ${columns} from jsonb_populate_recordset(null::${nameOf(table)}, ${JSON.stringify(saved)}::jsonb)`,
  )
}

/** Whose names are taken, case-insensitive. */
export async function takenNames(
  db: Db,
  table: Exclude<Table, typeof plugins>,
  saved: readonly JsonObject[],
): Promise<string[]> {
  if (saved.length === 0) return []
  const names = saved.map(({ name }) => lower(String(name)))
  const found = await db
    .select({ name: table.name })
    .from(table as typeof schemas)
    .where(inArray(lower(table.name), names))
    .orderBy(asc(table.name))
  return found.map(({ name }) => name)
}
