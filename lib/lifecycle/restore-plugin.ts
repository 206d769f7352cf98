import { eq } from 'drizzle-orm'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { plugins, type RemovedPlugins, trashBatches } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { registryChanged } from '@/lib/registry/registry'
import type { RestoreConflict } from '@/lib/trash/contract'
import { removedPlugins } from '@/lib/trash/store'
import { changeDefinitions, holdPlugins } from './hold-plugins'
import { recordEvent } from './uninstall/record-event'
import { nameConflicts, restoreBatch } from './uninstall/restore-from-trash'

type RestorePlugin = { batchId: string; actor: Actor; requestId: string }
type Restored = { restored: number; conflicts: RestoreConflict[]; conflictCount: number }

/**
 * Brings uninstalled plugins back from the trash as they were: tables, definitions, roles and policies, all or
 * nothing. What they defined and now exists again is a conflict; then nothing is restored.
 * Throws `not_found`, `forbidden`, and `conflict` when an install of one of them runs for too long.
 */
export async function restorePlugin(
  deps: Deps,
  { batchId, actor, requestId }: RestorePlugin,
): Promise<Restored> {
  const found = await removedPlugins(deps.db, batchId)
  const ids = found.plugins.map(({ id }) => String(id))
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

/** Why the plugins of a batch could not be restored now. Throws `not_found`. */
export const restoreConflicts = async ({ db }: Pick<Deps, 'db'>, batchId: string) =>
  nameConflicts(db, await removedPlugins(db, batchId))

/** Those by which an archive with all of it could be installed. */
function requireRestoreRights(actor: Actor, { entities, roles, policies }: RemovedPlugins): void {
  requireRight(actor, 'plugins:install')
  if (roles.length + policies.length > 0) requireRight(actor, 'users:manage')
  for (const { name } of entities) requireRight(actor, { entity: String(name), action: 'write' })
}

async function recordRestoration(
  tx: Db,
  id: string,
  { tables, entities }: RemovedPlugins,
  { batchId, actor, requestId }: RestorePlugin,
): Promise<void> {
  const [plugin] = await tx.select().from(plugins).where(eq(plugins.id, id))
  if (!plugin) return
  const names = new Set(entities.filter((row) => row.plugin_id === id).map(({ name }) => name))
  const own = tables.filter(({ entity }) => names.has(entity))
  await recordEvent(tx, {
    kind: 'restore',
    plugin,
    actor,
    requestId,
    recordCount: own.reduce((sum, { records }) => sum + records, 0),
    changes: own.map(({ entity, records }) => `Entity ${entity} with ${records} records: restored`),
    details: { batchId },
  })
}
