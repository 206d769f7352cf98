import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { changedSince } from '@/lib/installs/basis'
import { EMPTY_REPORT } from '@/lib/installs/file-report'
import type { InstallPreview, InstallResponse, PlanResponse } from '@/lib/installs/plan-contract'
import { registryChanged } from '@/lib/registry/registry'
import { settlePending } from '@/lib/tables/settle-pending'
import type { UninstallReport } from './contract'
import { LOCAL } from './edit/next-version'
import { changeDefinitions, holdPlugins } from './hold-plugins'
import { type EntityRemoval, loadEntityRemoval } from './uninstall/entity-removal'
import { takeAway } from './uninstall/move-to-trash'
import { recordEvent } from './uninstall/record-event'
import { dependents, lockTables, requireUninstallRights } from './uninstall/removal'
import { type Counts, describeUninstall, reportOn } from './uninstall/report'

type Removing = {
  plugin: string
  removed: readonly string[]
  /** The last install of the plugin when somebody read what it has. */
  lastHistoryId?: number | undefined
  actor: Actor
  requestId: string
  seal?: string | undefined
}
type Described = EntityRemoval & { report: UninstallReport; counts: Counts; seal: string }

/**
 * What removing entities of a local plugin would do, as the plan of an install. Throws `not_found`, `forbidden`, and
 * `invalid_input` for a plugin of another author and for entities that the plugin does not have.
 */
export async function planRemoval(deps: Deps, input: Removing): Promise<PlanResponse> {
  requireLocal(input.plugin)
  await settlePending(deps.db, { pluginIds: [input.plugin] })
  const plan = previewOf(await describe(deps.db, input))
  const { pluginId, pluginName, totalFiles, successCount, failedCount } = plan
  const data = { history: null, pluginId, pluginName, totalFiles, successCount, failedCount, plan }
  return { status: 200, message: 'Plan of the removal; nothing was written', data }
}

/**
 * Moves entities of a local plugin to the trash, with their tables; with the last of them goes the plugin. One
 * transaction, in the history as an uninstall. Throws as `planRemoval` does, and `conflict` while others need them or
 * the seal no longer holds.
 */
export async function removeEntities(deps: Deps, input: Removing): Promise<InstallResponse> {
  requireLocal(input.plugin)
  const data = await holdPlugins(deps, [input.plugin], () =>
    changeDefinitions(deps, (tx) => remove(tx, deps, input)),
  )
  await registryChanged(deps)
  return { status: 200, message: 'Entities moved to the trash', data }
}

function requireLocal(plugin: string): void {
  if (plugin.startsWith(LOCAL)) return
  throw new AppError(
    'invalid_input',
    `Entities are removed only from plugins that were made here, whose id begins with "${LOCAL}": uninstall "${plugin}"`,
  )
}

async function describe(tx: Db, asked: Removing): Promise<Described> {
  const { plugin, removed, lastHistoryId, actor } = asked
  const found = await loadEntityRemoval(tx, plugin, removed)
  if (lastHistoryId !== undefined && found.plugin.lastHistoryId !== lastHistoryId)
    throw changedSince(plugin)
  requireUninstallRights(actor, found.removal, 'trash')
  const options = { actor, records: 'trash', dryRun: false } as const
  const { report, counts } = await reportOn(tx, found.removal, options)
  return { ...found, report, counts, seal: sealOf(found, report) }
}

const sealOf = ({ plugin, isWhole }: EntityRemoval, report: UninstallReport): string =>
  createHash('sha256')
    .update(JSON.stringify([plugin.id, plugin.lastHistoryId, isWhole, report]))
    .digest('hex')

function previewOf({ plugin, removal, report, counts, seal }: Described): InstallPreview {
  const { id, name, version } = plugin
  const { changes, recordCount } = describeUninstall(id, removal, report, counts)
  const details = blocking(report).map((message) => ({ message }))
  const isBlocked = details.length > 0
  const warnings = mentioned(report).map((message) => ({ message }))
  return {
    ...{ pluginId: id, pluginName: name, version, installedVersion: version, isDowngrade: false },
    ...{ mode: 'atomic', status: isBlocked ? 'FAILED' : 'SUCCESS', seal, recordCount },
    ...{ totalFiles: 1, successCount: isBlocked ? 0 : 1, failedCount: isBlocked ? 1 : 0 },
    warningCount: warnings.length,
    files: [
      {
        ...EMPTY_REPORT,
        ...{ path: 'engineplugin.json', status: isBlocked ? 'failed' : 'updated', changes },
        ...{ error: isBlocked ? 'Missing dependency' : null, warnings },
        ...{ details: details.slice(0, 100), detailCount: details.length },
      },
    ],
  }
}

const blocking = ({ blockedBy }: UninstallReport): string[] =>
  blockedBy.map(({ entity, field, target }) =>
    field === null
      ? `"${entity}" uses the schema "${target}"`
      : `"${entity}" refers to "${target}" by "${field}": remove that field first, or both entities`,
  )

const mentioned = ({ mentions }: UninstallReport): string[] => [
  ...mentions.policies.map(({ name }) => `The policy ${name} names what is removed, and stays`),
  ...mentions.apiKeys.map(({ name }) => `The API key ${name} names what is removed, and stays`),
  ...mentions.views.map(({ name, entity }) => `The saved view ${name} of ${entity} stays`),
]

async function remove(tx: Db, { settings }: Deps, input: Removing) {
  const { plugin: id, removed, actor, requestId } = input
  const before = await loadEntityRemoval(tx, id, removed)
  await lockTables(tx, before.removal.entities)
  const found = await describe(tx, input)
  const { plugin, removal, report, counts } = found
  const blocked = blocking(report)
  if (blocked.length > 0)
    throw new AppError('conflict', blocked.join('; '), { meta: { blockedBy: dependents(removal) } })
  if (input.seal !== undefined && input.seal !== found.seal)
    throw new AppError(
      'conflict',
      'The plan no longer holds: what would be removed has changed. Make a new plan',
    )
  const days = settings.TRASH_DAYS
  const away = { records: 'trash', counts, days, deletedBy: actor.name, pluginId: id } as const
  const { batchId } = await takeAway(tx, removal, away)
  const { changes, recordCount } = describeUninstall(id, removal, report, counts)
  const event = { plugin, actor, requestId, recordCount, changes }
  const details = { records: 'trash', batchId, entities: [...removed] }
  const history = await recordEvent(tx, { kind: 'uninstall', ...event, details })
  await forgetDefined(tx, found, history)
  const outcome = { totalFiles: 1, successCount: 1, failedCount: 0 }
  return { history, pluginId: id, pluginName: plugin.name, ...outcome }
}

/**
 * What a plugin is said to define is what its exports must have. Definitions that were read before would bring the
 * entities back, empty, so the plugin is another one from then on.
 */
async function forgetDefined(
  tx: Db,
  { plugin, removal, isWhole }: EntityRemoval,
  history: number,
): Promise<void> {
  if (isWhole) return
  const taken = [
    ...removal.entities.map(({ row }) => `entity ${row.name}`),
    ...removal.schemas.map(({ name }) => `schema ${name}`),
  ]
  const defines =
    plugin.defines?.filter(({ kind, name }) => !taken.includes(`${kind} ${name}`)) ?? null
  await tx
    .update(plugins)
    .set({ defines, lastHistoryId: history, updatedAt: sql`now()` })
    .where(eq(plugins.id, plugin.id))
}
