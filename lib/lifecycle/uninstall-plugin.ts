import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { registryChanged } from '@/lib/registry/registry'
import { settlePending } from '@/lib/tables/settle-pending'
import type { UninstallQuery, UninstallReport } from './contract'
import { changeDefinitions, holdPlugins } from './hold-plugins'
import { takeAway } from './uninstall/move-to-trash'
import { recordEvent } from './uninstall/record-event'
import {
  dependents,
  loadRemoval,
  lockTables,
  type Removal,
  refuseDependents,
  requireUninstallRights,
} from './uninstall/removal'
import { describeUninstall, reportOn } from './uninstall/report'

type UninstallPlugin = UninstallQuery & { pluginId: string; actor: Actor; requestId: string }

/**
 * Takes plugins away: what they defined goes to the trash whole, tables included, which are moved and
 * not copied; with `records: 'keep'` entities stay, without an owner. One transaction, in the
 * history and the audit log; `dryRun` only reports. Throws `not_found`, `forbidden`, and `conflict` while
 * entities of others need what would go.
 */
export async function uninstallPlugin(
  deps: Deps,
  input: UninstallPlugin,
): Promise<UninstallReport> {
  const ids = [...new Set([input.pluginId, ...(input.with ?? [])])]
  if (input.dryRun) {
    await settlePending(deps.db, { pluginIds: ids })
    const removal = await loadRemoval(deps.db, ids)
    requireUninstallRights(input.actor, removal, input.records)
    return (await reportOn(deps.db, removal, input)).report
  }
  const report = await holdPlugins(deps, ids, () =>
    changeDefinitions(deps, (tx) => remove(tx, deps, ids, input)),
  )
  await registryChanged(deps)
  return report
}

async function remove(
  tx: Db,
  { settings }: Deps,
  ids: readonly string[],
  input: UninstallPlugin,
): Promise<UninstallReport> {
  const { records, actor, requestId } = input
  const removal = await lockedRemoval(tx, ids, input)
  const { report, counts } = await reportOn(tx, removal, input)
  const batch = await takeAway(tx, removal, {
    records,
    counts,
    days: settings.TRASH_DAYS,
    deletedBy: actor.name,
    pluginId: input.pluginId,
  })
  const history: number[] = []
  for (const plugin of removal.plugins) {
    const { changes, recordCount } = describeUninstall(plugin.id, removal, report, counts)
    const details = { records, batchId: batch.batchId }
    const kind = 'uninstall'
    history.push(
      await recordEvent(tx, { kind, plugin, actor, requestId, recordCount, changes, details }),
    )
  }
  return { ...report, ...batch, history: history[0] ?? null }
}

async function lockedRemoval(
  tx: Db,
  ids: readonly string[],
  { records, actor }: UninstallPlugin,
): Promise<Removal> {
  const removal = await loadRemoval(tx, ids)
  requireUninstallRights(actor, removal, records)
  if (records === 'keep') return removal
  refuseDependents(dependents(removal))
  await lockTables(tx, removal.entities)
  // Names of undeclared fields may have been added until now.
  return loadRemoval(tx, ids)
}
