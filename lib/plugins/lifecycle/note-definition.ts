import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { rows } from '@/lib/db/rows'
import {
  entities,
  entityTypes,
  pluginDefinitionChanges,
  plugins,
  policies,
  roles,
  schemas,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { entitiesOfSchema } from '@/lib/registry/registry-rows'
import type { FormerSchema } from '@/lib/tables/define-outcome'
import type { JsonObject } from '@/lib/values/json'

type Change = typeof pluginDefinitionChanges.$inferSelect
export type NotedKind = Exclude<Change['kind'], 'fields'>

const TABLES = {
  type: entityTypes,
  schema: schemas,
  entity: entities,
  role: roles,
  policy: policies,
  plugin: plugins,
} satisfies Record<NotedKind, PgTable>

/** The columns of entities that use a schema, beside its row: those that are added later can go again. */
export const COLUMNS = '$columns'

export const tableOf = (kind: NotedKind): SQL =>
  sql`engine.${sql.identifier(getTableConfig(TABLES[kind]).name)}`

/** The row of the registry with one of these names, or null. */
export async function readDefinition(
  tx: Db,
  kind: NotedKind,
  names: readonly string[],
): Promise<JsonObject | null> {
  const column = sql.identifier(kind === 'plugin' ? 'id' : 'name')
  for (const name of names) {
    const query = sql`select to_jsonb(r.*) as row from ${tableOf(kind)} as r where lower(r.${column}) = lower(${name}::text)`
    const [found] = await rows<{ row: JsonObject }>(tx, query)
    if (found)
      return kind === 'schema' ? { ...found.row, [COLUMNS]: await columnsOf(tx, name) } : found.row
  }
  return null
}

async function columnsOf(tx: Db, schema: string): Promise<JsonObject> {
  const users = await entitiesOfSchema(tx, schema)
  const kept = users.map(
    ({ row: { name, columns, extraFields, updatedAt } }): [string, JsonObject] => [
      name,
      {
        columns: columns.map((column) => column.name),
        extraFields,
        updatedAt: updatedAt.toISOString(),
      },
    ],
  )
  return Object.fromEntries(kept)
}

/** Remembers a change of a definition for the rollback of its install; `after` is what it is now. */
export async function noteDefinition(
  tx: Db,
  installId: number | null,
  kind: NotedKind,
  name: string,
  before: JsonObject | null,
): Promise<void> {
  if (installId === null) return
  const after = await readDefinition(tx, kind, [name])
  await noteChange(tx, { installId, kind, name, before, after })
}

/** The same of a schema of another definition that changed with one. */
export async function noteFollowed(
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
  await noteChange(tx, { installId, kind: 'schema', name, before, after })
}

/** As the last one of the install. */
export async function noteChange(tx: Db, change: Omit<Change, 'position'>): Promise<void> {
  const { installId } = change
  const position = sql`(select coalesce(max(position), 0) + 1 from ${pluginDefinitionChanges} where install_id = ${installId}::bigint)`
  await tx.insert(pluginDefinitionChanges).values({ ...change, position: position as never })
}

/** The changes of definitions of an install, the last one first. */
export async function notedDefinitions(tx: Db, installId: number) {
  const changes = await tx
    .select()
    .from(pluginDefinitionChanges)
    .where(eq(pluginDefinitionChanges.installId, installId))
    .orderBy(desc(pluginDefinitionChanges.position))
  return changes.flatMap(({ kind, ...change }) => (kind === 'fields' ? [] : [{ kind, ...change }]))
}
