import { eq } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { installFiles } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { FileReport } from '@/lib/installs/file-report'
import { installPlugin } from '@/lib/installs/install-plugin'
import type { InstallRequest } from '@/lib/installs/install-request'
import { previewInstall } from '@/lib/installs/preview-install'
import { findEntity } from '@/lib/registry/registry'
import type { EventsChange } from './contract'
import { exportEdited } from './export-plugin'
import { installOf } from './install-of'

type Input = {
  entityName: string
  enabled: boolean
  dryRun: boolean
  actor: Actor
  requestId: string
  /** Stops what has not been installed yet. */
  signal: AbortSignal
}

/**
 * Has the changes of an entity kept or no longer kept, by the next version of its plugin, all or nothing; with `dryRun`
 * only says how. Nothing is done where it is so already. Throws `not_found`, `conflict` for an entity without a plugin
 * and as `installPlugin` does, and `unprocessable` with every reason against it.
 */
export async function switchEvents(deps: Deps, input: Input): Promise<EventsChange> {
  const { enabled, dryRun } = input
  const { name, definition, pluginId } = await findEntity(deps, input.entityName)
  if (pluginId === null)
    throw new AppError(
      'conflict',
      `"${name}" belongs to no plugin: install one that defines it with "events": ${enabled}`,
    )
  const state = { entity: name, enabled, dryRun, pluginId }
  if ((definition.events ?? false) === enabled) return { ...state, history: null, steps: [] }
  const request = await nextVersion(deps, { ...input, entityName: name, pluginId })
  if (dryRun) {
    const { plan } = await previewInstall(deps, request, { signal: input.signal })
    return { ...state, history: null, steps: stepsOf(plan.files) }
  }
  const { install, done } = await installPlugin(deps, request)
  await done
  return { ...state, history: install.id, steps: stepsOf(await reportsOf(deps, install.id)) }
}

/** The install of the plugin's next version, in which only this differs. */
async function nextVersion(
  deps: Deps,
  { entityName: entity, enabled, pluginId, actor, requestId, signal }: Input & { pluginId: string },
): Promise<InstallRequest> {
  const edits = [{ type: 'keep-events' as const, entity, enabled }]
  const make = () => exportEdited(deps, { pluginId, edits, actor, signal })
  return installOf(deps, pluginId, make, { actor, requestId })
}

type Report = Pick<FileReport, 'status' | 'error' | 'changes' | 'details'>

const reportsOf = ({ db }: Deps, installId: number): Promise<Report[]> =>
  db.select().from(installFiles).where(eq(installFiles.installId, installId))

/** What was done, in words. Throws `unprocessable` where a definition was refused. */
function stepsOf(reports: readonly Report[]): string[] {
  const failed = reports.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return reports.flatMap(({ changes }) => changes)
  const causes = failed.filter(({ error }) => error !== 'Rolled back')
  const details = causes.flatMap((report) => report.details)
  const reasons = details.length > 0 ? details.map(({ message }) => message) : [failed[0]?.error]
  throw new AppError('unprocessable', reasons.join('; '), { meta: { details } })
}
