import { asc, inArray, sql } from 'drizzle-orm'
import { type Actor, requireRight } from '@/lib/auth/rights'
import {
  type entities,
  entityTypes,
  plugins,
  policies,
  roles,
  schemas,
  webhooks,
} from '@/lib/db/schema'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { rightsIn } from '@/lib/installs/installer-rights'
import {
  mergeEntity,
  type RegistryRow,
  schemaNameOf,
  selectEntities,
} from '@/lib/registry/registry-rows'
import { relationExists } from '@/lib/tables/stored-tables'
import { suggestion } from '@/lib/values/nearest'

/** What plugins own, and the entities that they do not own. */
export type Removal = {
  plugins: (typeof plugins.$inferSelect)[]
  entities: RegistryRow[]
  schemas: (typeof schemas.$inferSelect)[]
  types: (typeof entityTypes.$inferSelect)[]
  roles: (typeof roles.$inferSelect)[]
  policies: (typeof policies.$inferSelect)[]
  webhooks: (typeof webhooks.$inferSelect)[]
  others: Entity[]
}

/** Why definitions can't go: an entity of another owner needs `target`; `field`: by a reference. */
type Dependent = {
  entity: string
  pluginId: string | null
  field: string | null
  target: string
}

/** Throws `not_found` for a plugin that is not installed. */
export async function loadRemoval(db: Db, ids: readonly string[]): Promise<Removal> {
  const installed = await db.select().from(plugins).orderBy(asc(plugins.id))
  const missing = ids.find((id) => !installed.some((plugin) => plugin.id === id))
  if (missing !== undefined) {
    const known = installed.map(({ id }) => id)
    const message = `The plugin "${missing}" is not installed${suggestion(missing, known)}`
    throw new AppError('not_found', message)
  }
  const all = await selectEntities(db)
  const isOwn = ({ row }: RegistryRow) => row.pluginId !== null && ids.includes(row.pluginId)
  return {
    plugins: ids.flatMap((id) => installed.filter((plugin) => plugin.id === id)),
    entities: all.filter(isOwn),
    schemas: await owned(db, schemas, ids),
    types: await owned(db, entityTypes, ids),
    roles: await owned(db, roles, ids),
    policies: await owned(db, policies, ids),
    webhooks: await owned(db, webhooks, ids),
    others: all.filter((one) => !isOwn(one)).map(({ row, schema }) => mergeEntity(row, schema)),
  }
}

type Owned =
  | typeof entities
  | typeof schemas
  | typeof entityTypes
  | typeof roles
  | typeof policies
  | typeof webhooks

const owned = async <T extends Owned>(db: Db, table: T, ids: readonly string[]) =>
  (await db
    .select()
    .from(table as typeof schemas)
    .where(inArray(table.pluginId, [...ids]))
    .orderBy(asc(table.name))) as T['$inferSelect'][]

/** Which entities of other owners refer to the entities, or use the schemas, that would go. */
export function dependents({ entities: going, schemas: used, others }: Removal): Dependent[] {
  const targets = new Set(going.map(({ row }) => row.name))
  const schemaNames = new Set(used.map(({ name }) => name))
  return others.flatMap(({ name: entity, pluginId, properties, definition }) => {
    const fields = properties.flatMap(({ name: field, rules: { reference } }): Dependent[] =>
      reference && targets.has(reference.entity)
        ? [{ entity, pluginId, field, target: reference.entity }]
        : [],
    )
    const schema = schemaNameOf(definition)
    const shared = schemaNames.has(schema)
      ? [{ entity, pluginId, field: null, target: schema }]
      : []
    return [...fields, ...shared]
  })
}

/** Throws `conflict` that says what would be left without what it needs, and what to do. */
export function refuseDependents(found: readonly Dependent[]): void {
  if (found.length === 0) return
  const reasons = found.map(({ entity, pluginId, field, target }) => {
    const owner = pluginId === null ? '' : ` of ${pluginId}`
    return field === null
      ? `"${entity}"${owner} uses the schema "${target}"`
      : `"${entity}"${owner} refers to "${target}" (by "${field}")`
  })
  const owners = [...new Set(found.flatMap(({ pluginId }) => pluginId ?? []))]
  const isOwned = found.every(({ pluginId }) => pluginId !== null)
  const together = isOwned ? `uninstall them together (with=${owners.join(',')}), or ` : ''
  throw new AppError(
    'conflict',
    `${reasons.join('; ')}: ${together}keep the tables (records=keep)`,
    {
      meta: { blockedBy: found },
    },
  )
}

/**
 * Throws `forbidden` unless the actor may delete the records that go and change the roles, policies and webhooks that do.
 * To take a denial away is to grant what it denied.
 */
export function requireUninstallRights(
  actor: Actor,
  { entities, roles, policies, webhooks }: Removal,
  records: 'trash' | 'keep',
): void {
  if (records === 'trash')
    for (const { row } of entities) requireRight(actor, { entity: row.name, action: 'delete' })
  if (roles.length + policies.length > 0) requireRight(actor, 'users:manage')
  if (webhooks.length > 0) requireRight(actor, 'webhooks:manage')
  for (const { definition, allow } of policies)
    if (!allow) for (const right of rightsIn(definition)) requireRight(actor, right)
}

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
