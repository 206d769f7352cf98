import { desc, eq, is, SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { entities, pluginDefinitionChanges, plugins, webhooks } from '@/lib/db/schema'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { DEFINITION_TABLES } from '@/lib/registry/definition-tables'
import { SCHEMA_NAME } from '@/lib/registry/definition-version'
import type { FormerSchema } from '@/lib/tables/definition-transaction'
import { isObject, type JsonObject } from '@/lib/values/json'
import type { Undo } from '../undo/undo-source'

type Change = typeof pluginDefinitionChanges.$inferSelect
export type RecordedKind = Exclude<Change['kind'], 'fields'>

const TABLES: Record<RecordedKind, PgTable> = { ...DEFINITION_TABLES, plugin: plugins }

/** The columns of entities that use a schema, beside its row: those that are added later can go again. */
export const COLUMNS = '$columns'

export const tableOf = (kind: RecordedKind): SQL =>
  sql`engine.${sql.identifier(getTableConfig(TABLES[kind]).name)}`

/** What plugins declare of webhooks: the address, the secret and whether they send are not theirs. */
export const DECLARED_COLUMNS = [
  ...['id', 'name', 'plugin_id', 'definition', 'entities', 'actions', 'where', 'fields', 'many'],
  ...['format', 'saved_by', 'created_at', 'authored'],
]

const declaredRows = () =>
  sql`(select ${sql.join(
    DECLARED_COLUMNS.map((name) => sql.identifier(name)),
    sql`, `,
  )} from ${webhooks} where plugin_id is not null)`

/** What entities that use a schema have. */
const columnsOf = (
  schema: string,
) => sql`(select coalesce(jsonb_object_agg(${entities.name}, jsonb_build_object(
      'columns', (select coalesce(jsonb_agg(c -> 'name' order by at), '[]') from jsonb_array_elements(${entities.columns}) with ordinality as t(c, at)),
      'extraFields', to_jsonb(${entities.extraFields}),
      'updatedAt', to_char(${entities.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}')
    from ${entities} where ${SCHEMA_NAME} = ${schema}::text)`

/** The row of the registry with this name, in any case. */
function definitionSql(kind: RecordedKind, name: string): SQL {
  const column = sql.identifier(kind === 'plugin' ? 'id' : 'name')
  const used =
    kind === 'schema' ? sql`|| jsonb_build_object(${COLUMNS}::text, ${columnsOf(name)})` : sql``
  return sql`select to_jsonb(r.*) ${used} as row from ${kind === 'webhook' ? declaredRows() : tableOf(kind)} as r
    where lower(r.${column}) = lower(${name}::text)`
}

/** The row of the registry with the first of these names that is there, or null. */
export async function readDefinition(
  tx: Db,
  kind: RecordedKind,
  names: readonly string[],
): Promise<JsonObject | null> {
  for (const name of names) {
    const [found] = await rows<{ row: JsonObject }>(tx, definitionSql(kind, name))
    if (found) return found.row
  }
  return null
}

/** Remembers a change of a definition for the rollback of its install; `after` is what it is now. */
export async function recordDefinition(
  tx: Db,
  installId: number | null,
  kind: RecordedKind,
  name: string,
  before: JsonObject | null,
): Promise<void> {
  if (installId === null) return
  await recordChange(tx, { installId, kind, name, before, after: definitionSql(kind, name) })
}

/** The same of a schema of another definition that changed with one. */
export async function recordFollowed(
  tx: Db,
  installId: number | null,
  { name, definition, updatedAt, changedAt }: FormerSchema,
): Promise<void> {
  const after = installId === null ? null : await readDefinition(tx, 'schema', [name])
  if (installId === null || !after) return
  const columns = Object.entries(after[COLUMNS] as Record<string, JsonObject>).map(
    ([entity, then]): [string, JsonObject] => [
      entity,
      { ...then, updatedAt: changedAt[entity]?.toISOString() ?? null },
    ],
  )
  const row = { ...after, [COLUMNS]: Object.fromEntries(columns) }
  const before = {
    ...row,
    definition,
    updated_at: updatedAt.toISOString(),
  } as unknown as JsonObject
  await recordChange(tx, { installId, kind: 'schema', name, before, after })
}

/** As the last one of the install. */
async function recordChange(
  tx: Db,
  { after, ...change }: Omit<Change, 'position' | 'after'> & { after: JsonObject | SQL },
): Promise<void> {
  const { installId } = change
  const position = sql`(select coalesce(max(position), 0) + 1 from ${pluginDefinitionChanges} where install_id = ${installId}::bigint)`
  const then = is(after, SQL) ? sql`(${after})` : after
  await tx
    .insert(pluginDefinitionChanges)
    .values({ ...change, after: then as JsonObject, position: position as never })
}

/** The changes of definitions of an install, the last one first. */
export async function recordedDefinitions(tx: Db, installId: number) {
  const changes = await tx
    .select()
    .from(pluginDefinitionChanges)
    .where(eq(pluginDefinitionChanges.installId, installId))
    .orderBy(desc(pluginDefinitionChanges.position))
  return changes.flatMap(({ kind, ...change }) => (kind === 'fields' ? [] : [{ kind, ...change }]))
}

/** Remembers that a data file brought new undeclared names, for the rollback of its install. */
export async function recordFieldNames(
  tx: Db,
  installId: number | null,
  { name, extraFields }: Entity,
  added: readonly string[],
): Promise<void> {
  if (installId === null || added.length === 0) return
  const names = { before: { extraFields }, after: { extraFields: [...extraFields, ...added] } }
  await recordChange(tx, { installId, kind: 'fields', name, ...names })
}

/** Makes the known undeclared names what they were before the install; those that stored records have stay. */
export async function restoreFieldNames(tx: Db, { installId, as }: Undo): Promise<void> {
  for (const [name, former] of await formerNames(tx, installId)) {
    const [row] = await tx.select().from(entities).where(eq(entities.name, name))
    if (!row) continue
    const added = row.extraFields.filter((field) => !former.includes(field))
    const table = tableSql({ schema: row.tableSchema, name: row.tableName })
    const names = [...former, ...(await usedNames(tx, table, added))]
    if (names.join() === row.extraFields.join()) continue
    const { updatedAt } = row
    await tx.update(entities).set({ extraFields: names, updatedAt }).where(eq(entities.name, name))
    await recordChange(tx, {
      installId: as,
      kind: 'fields',
      name,
      before: { extraFields: row.extraFields },
      after: { extraFields: names },
    })
  }
}

/** Entity → the undeclared names that were known before the install. */
export async function formerNames(tx: Db, installId: number): Promise<Map<string, string[]>> {
  const changes = await tx
    .select()
    .from(pluginDefinitionChanges)
    .where(eq(pluginDefinitionChanges.installId, installId))
    .orderBy(pluginDefinitionChanges.position)
  const found = new Map<string, string[]>()
  const add = (name: string, names: unknown) => {
    if (Array.isArray(names) && !found.has(name)) found.set(name, names.map(String))
  }
  for (const { kind, name, before } of changes) {
    if (!before) continue
    if (kind === 'entity') add(String(before.name), before.extra_fields)
    if (kind === 'fields') add(name, before.extraFields)
    const users = before[COLUMNS]
    if (kind !== 'schema' || !isObject(users)) continue
    for (const [user, then] of Object.entries(users))
      if (isObject(then)) add(user, then.extraFields)
  }
  return found
}

/** Those of the names that stored records have. */
async function usedNames(tx: Db, table: SQL, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const isUsed = names.map(
    (name) => sql`coalesce(bool_or(${sql.identifier(EXTRA_COLUMN)} ? ${name}::text), false)`,
  )
  const query = sql`select array[${sql.join(isUsed, sql`, `)}] as used from ${table}`
  const { used } = one(await rows<{ used: boolean[] }>(tx, query))
  return names.filter((_, at) => used[at])
}
