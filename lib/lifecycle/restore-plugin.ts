import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Actor, requireRight } from '@/lib/auth/rights'
import {
  entities,
  entityTypes,
  plugins,
  policies,
  type RemovedPlugins,
  type RemovedTable,
  roles,
  schemas,
  trashBatches,
  webhooks,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { registryChanged } from '@/lib/registry/registry'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import { applyChanges } from '@/lib/tables/apply-changes'
import { planChange, type TableChange } from '@/lib/tables/plan-change'
import { recallRecords } from '@/lib/tables/records-aside'
import { relationExists } from '@/lib/tables/stored-tables'
import type { RestoreConflict } from '@/lib/trash/contract'
import { removedPlugins } from '@/lib/trash/store'
import { changeDefinitions, holdPlugins } from './hold-plugins'
import { moveHome } from './uninstall/move-tables'
import { insertRows, takenNames } from './uninstall/move-to-trash'
import { recordEvent, recordsIn } from './uninstall/record-event'

type RestorePlugin = { batchId: string; actor: Actor; requestId: string }
type Restored = { restored: number; conflicts: RestoreConflict[]; conflictCount: number }

/**
 * Brings uninstalled plugins back from the trash as they were: tables, definitions, roles and policies, all or
 * nothing; webhooks wait for an address again. What they defined and now exists again is a conflict; then nothing is restored.
 * Throws `not_found`, `forbidden`, and `conflict` when an install of one of them runs for too long.
 */
export async function restorePlugin(
  deps: Deps,
  { batchId, actor, requestId }: RestorePlugin,
): Promise<Restored> {
  const found = await removedPlugins(deps.db, batchId)
  const ids = ownersOf(found)
  const restored = await holdPlugins(deps, ids, () =>
    changeDefinitions(deps, async (tx) => {
      const removed = await removedPlugins(tx, batchId)
      requireRestoreRights(actor, removed)
      const conflicts = await nameConflicts(tx, removed)
      if (conflicts.length > 0) return { restored: 0, conflicts, conflictCount: conflicts.length }
      await restoreBatch(tx, batchId, removed)
      await tx.delete(trashBatches).where(eq(trashBatches.id, batchId))
      for (const id of ids) await recordRestoration(tx, id, removed, { batchId, actor, requestId })
      const total = removed.tables.reduce((sum, { records }) => sum + records, 0)
      return { restored: total, conflicts, conflictCount: 0 }
    }),
  )
  await registryChanged(deps)
  return restored
}

/** The plugins of what was taken away; of single entities, they stayed. */
const ownersOf = ({ plugins: removed, entities: own }: RemovedPlugins): string[] => [
  ...new Set([...removed.map(({ id }) => String(id)), ...own.map((row) => String(row.plugin_id))]),
]

/** Why the plugins of a batch could not be restored now. Throws `not_found`. */
export const restoreConflicts = async ({ db }: Pick<Deps, 'db'>, batchId: string) =>
  nameConflicts(db, await removedPlugins(db, batchId))

/** Those by which an archive with all of it could be installed. */
function requireRestoreRights(
  actor: Actor,
  { entities, roles, policies, webhooks }: RemovedPlugins,
): void {
  requireRight(actor, 'plugins:install')
  if (roles.length + policies.length > 0) requireRight(actor, 'users:manage')
  if (webhooks && webhooks.length > 0) requireRight(actor, 'webhooks:manage')
  for (const { name } of entities) requireRight(actor, { entity: String(name), action: 'write' })
}

async function recordRestoration(
  tx: Db,
  id: string,
  { tables, entities, plugins: restored }: RemovedPlugins,
  { batchId, actor, requestId }: RestorePlugin,
): Promise<void> {
  const [plugin] = await tx.select().from(plugins).where(eq(plugins.id, id))
  if (!plugin) return
  const names = new Set(entities.filter((row) => row.plugin_id === id).map(({ name }) => name))
  const own = tables.filter(({ entity }) => names.has(entity))
  const history = await recordEvent(tx, {
    kind: 'restore',
    plugin,
    actor,
    requestId,
    recordCount: own.reduce((sum, { records }) => sum + records, 0),
    changes: own.map(
      ({ entity, records }) => `Entity ${entity} with ${recordsIn(records)}: restored`,
    ),
    details: { batchId },
  })
  if (restored.some((row) => row.id === id)) return
  // The plugin stayed: definitions that were read of it before lack what came back.
  await tx.update(plugins).set({ lastHistoryId: history }).where(eq(plugins.id, id))
}

/** Puts everything of a batch back where it was; `nameConflicts` must have found nothing. */
async function restoreBatch(tx: Db, batchId: string, removed: RemovedPlugins): Promise<void> {
  await moveHome(tx, removed.tables)
  await recallRecords(tx, batchId, removed)
  await insertRows(tx, plugins, removed.plugins)
  await insertRows(tx, entityTypes, removed.types)
  await insertRows(tx, schemas, removed.schemas)
  await insertRows(tx, entities, removed.entities)
  await insertRows(tx, roles, removed.roles)
  await insertRows(tx, policies, removed.policies)
  await insertRows(tx, webhooks, removed.webhooks ?? [])
  await adopt(tx, removed)
  // Adds the references to other tables again, too.
  await applyChanges(tx, await changesOf(tx, removed.tables), undefined)
}

/** A schema that stayed, of another plugin, may have changed since. */
async function changesOf(tx: Db, tables: readonly RemovedTable[]): Promise<TableChange[]> {
  const names = tables.map(({ entity }) => entity)
  const changes: TableChange[] = []
  for (const found of await entitiesNamed(tx, names)) {
    const schema = tables.find(({ entity }) => entity === found.row.name)?.schema ?? null
    const change = await planChange(tx, { ...found, schema }, found.row, found.schema)
    if (change.steps.length > 0 || change.renames) changes.push(change)
  }
  return changes
}

/** What was kept without an owner gets its plugin again, unless another one has taken it since. */
async function adopt(tx: Db, { kept }: RemovedPlugins): Promise<void> {
  const tables = { entities, schemas, types: entityTypes }
  for (const { kind, name, pluginId } of kept) {
    const table = tables[kind] as typeof entities
    await tx
      .update(table)
      .set({ pluginId, updatedAt: sql`${table.updatedAt}` })
      .where(and(eq(table.name, name), isNull(table.pluginId)))
  }
}

const KINDS = [
  ['entities', 'entity', entities],
  ['schemas', 'schema', schemas],
  ['types', 'type', entityTypes],
  ['roles', 'role', roles],
  ['policies', 'policy', policies],
  ['webhooks', 'webhook', webhooks],
] as const

/** What exists again by a name that an uninstalled plugin had. */
async function nameConflicts(tx: Db, removed: RemovedPlugins): Promise<RestoreConflict[]> {
  const ids = removed.plugins.map(({ id }) => String(id))
  const installed = await tx.select().from(plugins).where(inArray(plugins.id, ids))
  const conflicts = installed.map(({ id }) =>
    taken(id, `The plugin "${id}" is installed again; uninstall it first`),
  )
  conflicts.push(...(await ownerConflicts(tx, removed)))
  const names = new Set<string>()
  for (const [kind, word, table] of KINDS)
    for (const name of await takenNames(tx, table, removed[kind] ?? [])) {
      conflicts.push(taken(name, `The ${word} "${name}" exists again`))
      if (kind === 'entities') names.add(name)
    }
  for (const { entity, home } of removed.tables)
    if (!names.has(entity) && (await relationExists(tx, home)))
      conflicts.push(taken(entity, `The table ${home.schema}.${home.name} exists again`))
  return conflicts
}

/** Entities whose plugin stayed then, and was uninstalled later. */
async function ownerConflicts(tx: Db, removed: RemovedPlugins): Promise<RestoreConflict[]> {
  const returning = removed.plugins.map(({ id }) => String(id))
  const owners = ownersOf(removed).filter((id) => !returning.includes(id))
  const found = await tx.select().from(plugins).where(inArray(plugins.id, owners))
  return owners
    .filter((owner) => !found.some(({ id }) => id === owner))
    .map((id) => taken(id, `The plugin "${id}" is no longer installed; restore it first`))
}

const taken = (key: string, message: string): RestoreConflict => ({
  key,
  reason: 'name-taken',
  fields: [],
  message,
})
