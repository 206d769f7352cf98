import { createHash } from 'node:crypto'
import type { Deps } from '@/lib/deps'
import { loadInstalled } from '@/lib/plugins/plan/plan-install'
import { openArchive } from './archive/open-archive'
import { parsePlugin } from './archive/parse-plugin'
import type { InstallPreview } from './contract'
import { tryPlan } from './dry-run/try-plan'
import { type FileReport, ignoredReport } from './file-report'
import type { InstallRequest } from './install-request'
import { takeSlot } from './install-slots'
import { compareVersions } from './plan/compare-versions'
import { planInstall } from './plan/plan-install'
import type { InstallContext } from './run/run-file'
import { rolledBack } from './run/run-install'
import { installedVersion } from './store'

/** The time limit for locks of others: the client waits for the dry run. */
const MAX_WAIT_MS = 5_000

/**
 * Reports what an install would do, by doing it to copies in a transaction that is always rolled back:
 * nothing is written, not even to the history, and counters keep their values.
 * Throws as `installPlugin` does for faults of the archive, `unprocessable` when it takes too long, and
 * `unavailable` when other dry runs do. Stops when `signal` aborts.
 */
export async function previewInstall(
  deps: Deps,
  request: InstallRequest,
  signal?: AbortSignal,
): Promise<InstallPreview> {
  const release = await takeSlot(deps)
  try {
    return await preview(deps, request, signal)
  } finally {
    release()
  }
}

async function preview(
  deps: Deps,
  request: InstallRequest,
  signal: AbortSignal | undefined,
): Promise<InstallPreview> {
  const archive = await openArchive(await request.loadArchive(), deps.settings)
  const plugin = await parsePlugin(archive, deps.settings)
  const plan = await planInstall(plugin, await loadInstalled(deps.db))
  const { id, name, version } = plugin.manifest
  const attempted = await tryPlan(deps, plan, contextOf(deps, request, id), signal)
  const isFailing = attempted.some(({ status }) => status === 'failed')
  const reports =
    request.mode === 'atomic' && isFailing ? rolledBack(plan.files, attempted) : attempted
  const installed = await installedVersion(deps.db, id)
  return {
    pluginId: id,
    pluginName: name,
    version,
    installedVersion: installed,
    isDowngrade: Boolean(installed && version && compareVersions(version, installed) < 0),
    mode: request.mode,
    ...summarise(reports),
    seal: sealOf(request.sha256, reports),
    files: [...plugin.ignored.map(ignoredReport), ...reports],
  }
}

const contextOf = (
  { log, settings }: Deps,
  { actor }: InstallRequest,
  pluginId: string,
): Omit<InstallContext, 'dryRun'> => ({
  installId: null,
  history: null,
  pluginId,
  actor,
  created: new Set(),
  log,
  waitMs: Math.min(MAX_WAIT_MS, settings.INSTALL_WAIT_MS),
})

function summarise(reports: FileReport[]) {
  const good = reports.filter(({ status }) => status !== 'failed')
  const kept = good.filter(({ kind }) => kind === 'data').map(({ records }) => records)
  const successCount = good.length
  const failedCount = reports.length - successCount
  const status = failedCount === 0 ? 'SUCCESS' : successCount > 0 ? 'PARTIAL' : 'FAILED'
  const recordCount = kept.reduce(
    (sum, { created, updated, unchanged }) => sum + created + updated + unchanged,
    0,
  )
  return { status, totalFiles: reports.length, successCount, failedCount, recordCount } as const
}

function sealOf(sha256: string, reports: FileReport[]): string {
  const outcome = reports.map(({ durationMs: _, ...report }) => report)
  return createHash('sha256').update(sha256).update(JSON.stringify(outcome)).digest('hex')
}
