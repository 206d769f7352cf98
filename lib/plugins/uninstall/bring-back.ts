import { and, eq, isNull, sql } from 'drizzle-orm'
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
import type { Db } from '@/lib/db/types'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import { applyChanges } from '@/lib/tables/apply-changes'
import { planChange, type TableChange } from '@/lib/tables/plan-change'
import { recallRecords } from '@/lib/tables/records-aside'
import { moveHome } from './move-tables'
import { insertRows } from './saved-rows'

/** Puts everything of a batch back where it was; `takenAgain` must have found nothing. */
export async function bringBack(tx: Db, batchId: string, removed: RemovedPlugins): Promise<void> {
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
