import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import {
  entities,
  entityTypes,
  plugins,
  policies,
  type RemovedPlugins,
  type RemovedTable,
  roles,
  schemas,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import { applyChanges } from '@/lib/tables/apply-changes'
import { planChange, type TableChange } from '@/lib/tables/plan-change'
import { recallRecords } from '@/lib/tables/records-aside'
import { relationExists } from '@/lib/tables/stored-tables'
import type { RestoreConflict } from '@/lib/trash/contract'
import { moveHome } from './move-tables'
import { insertRows, takenNames } from './move-to-trash'

/** Puts everything of a batch back where it was; `nameConflicts` must have found nothing. */
export async function restoreBatch(
  tx: Db,
  batchId: string,
  removed: RemovedPlugins,
): Promise<void> {
  await moveHome(tx, removed.tables)
  await recallRecords(tx, batchId, removed)
  await insertRows(tx, plugins, removed.plugins)
  await insertRows(tx, entityTypes, removed.types)
  await insertRows(tx, schemas, removed.schemas)
  await insertRows(tx, entities, removed.entities)
  await insertRows(tx, roles, removed.roles)
  await insertRows(tx, policies, removed.policies)
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
] as const

/** What exists again by a name that an uninstalled plugin had. */
export async function nameConflicts(tx: Db, removed: RemovedPlugins): Promise<RestoreConflict[]> {
  const ids = removed.plugins.map(({ id }) => String(id))
  const installed = await tx.select().from(plugins).where(inArray(plugins.id, ids))
  const conflicts = installed.map(({ id }) =>
    taken(id, `The plugin "${id}" is installed again; uninstall it first`),
  )
  const names = new Set<string>()
  for (const [kind, word, table] of KINDS)
    for (const name of await takenNames(tx, table, removed[kind])) {
      conflicts.push(taken(name, `The ${word} "${name}" exists again`))
      if (kind === 'entities') names.add(name)
    }
  for (const { entity, home } of removed.tables)
    if (!names.has(entity) && (await relationExists(tx, home)))
      conflicts.push(taken(entity, `The table ${home.schema}.${home.name} exists again`))
  return conflicts
}

const taken = (key: string, message: string): RestoreConflict => ({
  key,
  reason: 'name-taken',
  fields: [],
  message,
})
