import { eq, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type DefinitionName, plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { changedSince } from '@/lib/installs/basis'
import type { InstallPreview, InstallResponse, PlanResponse } from '@/lib/installs/plan-contract'
import { registryChanged } from '@/lib/registry/registry'
import { settlePending } from '@/lib/tables/settle-pending'
import { changeDefinitions, holdPlugins } from './hold-plugins'
import {
  type DescribedPart,
  describePart,
  reportOf,
  requireRemovable,
} from './uninstall/describe-part'
import { takeAway } from './uninstall/move-to-trash'
import { loadPart, namesIn, type PartRemoval } from './uninstall/part-removal'
import { recordEvent } from './uninstall/record-event'
import { lockTables } from './uninstall/removal'
import { describeUninstall } from './uninstall/report'

type Removing = {
  plugin: string
  names: readonly DefinitionName[]
  /** The last install of the plugin when somebody read what it has. */
  lastHistoryId?: number | undefined
  actor: Actor
  requestId: string
  seal?: string | undefined
}

/** What moving entities of a plugin to the trash would do, as the plan of an install. Throws as `describePart` does. */
export async function planRemoval(deps: Deps, input: Removing): Promise<PlanResponse> {
  await settlePending(deps.db, { pluginIds: [input.plugin] })
  const plan = previewOf(await describe(deps.db, input))
  const { pluginId, pluginName, totalFiles, successCount, failedCount } = plan
  const data = { history: null, pluginId, pluginName, totalFiles, successCount, failedCount, plan }
  return { status: 200, message: 'Plan of the removal; nothing was written', data }
}

/**
 * Moves entities of a plugin to the trash, with their tables and with what else is named; with the last definition goes the
 * plugin. One transaction, in the history as an uninstall. Throws as `planRemoval` does, and `conflict` while others need
 * them or the seal no longer holds.
 */
export async function removeDefinitions(deps: Deps, input: Removing): Promise<InstallResponse> {
  const data = await holdPlugins(deps, [input.plugin], () =>
    changeDefinitions(deps, (tx) => remove(tx, deps, input)),
  )
  await registryChanged(deps)
  return { status: 200, message: 'Moved to the trash', data }
}

async function describe(tx: Db, asked: Removing): Promise<DescribedPart> {
  const { plugin, lastHistoryId } = asked
  const found = await describePart(tx, asked)
  if (lastHistoryId !== undefined && found.plugin.lastHistoryId !== lastHistoryId)
    throw changedSince(plugin)
  return { ...found, seal: `${found.seal}.${found.plugin.lastHistoryId}` }
}

function previewOf(found: DescribedPart): InstallPreview {
  const { plugin, removal, report, counts, seal } = found
  const { id, name, version } = plugin
  const { changes, recordCount } = describeUninstall(id, removal, report, counts)
  const isBlocked = found.blocked.length > 0
  const file = reportOf(found, changes)
  return {
    ...{ pluginId: id, pluginName: name, version, installedVersion: version, isDowngrade: false },
    ...{ mode: 'atomic', status: isBlocked ? 'FAILED' : 'SUCCESS', seal, recordCount },
    ...{ totalFiles: 1, successCount: isBlocked ? 0 : 1, failedCount: isBlocked ? 1 : 0 },
    warningCount: file.warnings.length,
    files: [file],
  }
}

async function remove(tx: Db, { settings }: Deps, input: Removing) {
  const { plugin: id, names } = input
  const before = await loadPart(tx, id, names)
  await lockTables(tx, before.removal.entities)
  const found = await describe(tx, input)
  requireRemovable(found, input.seal === undefined || input.seal === found.seal)
  const history = await moveToTrash(tx, found, { ...input, days: settings.TRASH_DAYS })
  await forgetDefined(tx, found, { lastHistoryId: history, updatedAt: sql`now()` as never })
  const outcome = { totalFiles: 1, successCount: 1, failedCount: 0 }
  return { history, pluginId: id, pluginName: found.plugin.name, ...outcome }
}

type Moving = Pick<Removing, 'actor' | 'requestId'> & { days: number }

/** Puts a part of a plugin into the trash, in the history as an uninstall. Returns its number. */
export async function moveToTrash(
  tx: Db,
  found: DescribedPart,
  { actor, requestId, days }: Moving,
): Promise<number> {
  const { plugin, removal, report, counts } = found
  const pluginId = plugin.id
  const away = { records: 'trash', counts, days, deletedBy: actor.name, pluginId } as const
  const { batchId } = await takeAway(tx, removal, away)
  const { changes, recordCount } = describeUninstall(pluginId, removal, report, counts)
  const entities = removal.entities.map(({ row }) => row.name)
  const details = { records: 'trash', batchId, entities }
  const event = { plugin, actor, requestId, recordCount, changes, details }
  return recordEvent(tx, { kind: 'uninstall', ...event })
}

/**
 * What a plugin is said to define is what its exports must have. Definitions that were read before would bring what
 * is in the trash back, empty, so the plugin is another one from then on.
 */
export async function forgetDefined(
  tx: Db,
  { plugin, removal, isWhole }: PartRemoval,
  changed: Partial<typeof plugins.$inferInsert> = {},
): Promise<void> {
  if (isWhole) return
  const taken = namesIn(removal)
  const isTaken = ({ kind, name }: DefinitionName) =>
    taken.some((one) => one.kind === kind && one.name === name)
  const defines = plugin.defines?.filter((one) => !isTaken(one)) ?? null
  await tx
    .update(plugins)
    .set({ updatedAt: sql`${plugins.updatedAt}`, ...changed, defines })
    .where(eq(plugins.id, plugin.id))
}
