import { createHash } from 'node:crypto'
import type { Deps } from '@/lib/runtime'
import { readArchive } from './archive/read-archive'
import { compareVersions } from './compare-versions'
import type { InstallPreview } from './contract'
import type { FileReport } from './file-report'
import type { InstallRequest } from './install-plugin'
import { loadInstalled } from './load-installed'
import { parsePlugin } from './parse-plugin'
import { planInstall } from './plan-install'
import { attempt, ignoredReport, rolledBack } from './run-install'
import { installedVersion } from './store'

/**
 * Tells what an install would do, by doing it in a transaction that is always rolled back: nothing
 * is written, not even to the history. Throws as `installPlugin` does for faults of the archive.
 */
export async function previewInstall(deps: Deps, request: InstallRequest): Promise<InstallPreview> {
  const archive = await readArchive(request.archive, deps.settings)
  const plugin = parsePlugin(new Map(archive.map(({ path, bytes }) => [path, bytes])))
  const plan = await planInstall(plugin, await loadInstalled(deps.db))
  const { id, name, version } = plugin.manifest
  const context = {
    installId: 'preview',
    pluginId: id,
    actorName: request.actor.name,
    log: deps.log,
  }
  const attempted = await attempt(deps.db, plan, context, async () => false)
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
    seal: sealOf(request.archive, reports),
    files: [...plugin.ignored.map(ignoredReport), ...reports],
  }
}

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

function sealOf(archive: Uint8Array, reports: FileReport[]): string {
  const outcome = reports.map(({ durationMs: _, ...report }) => report)
  return createHash('sha256').update(archive).update(JSON.stringify(outcome)).digest('hex')
}
