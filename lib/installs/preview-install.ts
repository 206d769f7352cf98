import { openArchive } from '@/lib/archives/open-archive'
import { parsePlugin } from '@/lib/archives/parse-plugin'
import type { InstallPlan } from '@/lib/archives/plugin-file'
import type { RecordConflict } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { settlePending } from '@/lib/tables/settle-pending'
import { suggestion } from '@/lib/values/nearest'
import type { RecordChanges } from './dry-run/compare-records'
import { tryPlan } from './dry-run/try-plan'
import { type FileReport, ignoredReport } from './file-report'
import type { InstallRequest, RecordsPage } from './install-request'
import { compareVersions } from './install-response'
import type { InstallPreview } from './plan-contract'
import { contextOf, rolledBack } from './run/run-install'
import { takeSlot } from './running-installs'
import { planWithSeal } from './seal/plan-with-seal'
import { installedVersion, requireClearName } from './store'

/** The time limit for locks of others: the client waits for the dry run. */
const MAX_WAIT_MS = 5_000

/**
 * Reports what an install would do, by doing it to copies in a transaction that is always rolled back:
 * nothing is written, not even to the history, and counters keep their values.
 * Throws as `installPlugin` does for faults of the archive, `unprocessable` when it takes too long, and
 * `unavailable` when other dry runs do, `forbidden` for a page of records that the installer may not read. Stops when `signal` aborts.
 */
export async function previewInstall(
  deps: Deps,
  request: InstallRequest,
  options: Options = {},
): Promise<Previewed> {
  const release = await takeSlot(deps)
  try {
    return await preview(deps, request, options)
  } finally {
    release()
  }
}

async function preview(deps: Deps, request: InstallRequest, options: Options): Promise<Previewed> {
  const archive = await openArchive(await request.loadArchive(), deps.settings)
  await requireClearName(deps.db, archive.manifest)
  const plugin = await parsePlugin(archive, deps.settings)
  await settlePending(deps.db, { pluginIds: [plugin.manifest.id] })
  // The seal first: whatever changes while the plan is made breaks it.
  const { plan, seal } = await planWithSeal(deps.db, plugin, request)
  const { id, name, version } = plugin.manifest
  requireFile(plan, options.page)
  const context = contextOf(deps, request, plan, {
    installId: null,
    history: null,
    waitMs: Math.min(MAX_WAIT_MS, deps.settings.INSTALL_WAIT_MS),
  })
  const tried = await tryPlan(deps, plan, context, options)
  const { reports: attempted, changes, conflicts } = tried
  const isFailing = attempted.some(({ status }) => status === 'failed')
  const reports =
    request.mode === 'atomic' && isFailing ? rolledBack(plan.files, attempted) : attempted
  const installed = await installedVersion(deps.db, id)
  const made: InstallPreview = {
    pluginId: id,
    pluginName: name,
    version,
    installedVersion: installed,
    isDowngrade: Boolean(installed && version && compareVersions(version, installed) < 0),
    mode: request.mode,
    ...summarise(reports),
    seal,
    files: [...plugin.ignored.map(ignoredReport), ...reports],
  }
  return { plan: made, changes, conflicts }
}

/** `page`: also report what one data file does to its records, or its conflicts. */
type Options = { page?: RecordsPage; signal?: AbortSignal }

/** `changes`: null where no page was asked for, or its file fails or has no records. */
type Previewed = {
  plan: InstallPreview
  changes: RecordChanges | null
  conflicts: { total: number; items: RecordConflict[] }
}

function requireFile({ files }: InstallPlan, page: RecordsPage | undefined): void {
  if (!page || files.some(({ path }) => path === page.file)) return
  const shown = JSON.stringify(page.file.slice(0, 200))
  const near = suggestion(
    page.file,
    files.map(({ path }) => path),
  )
  throw new AppError('invalid_input', `The archive has no content file ${shown}${near}`)
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
  const warningCount = reports.reduce((sum, { warnings }) => sum + warnings.length, 0)
  const totalFiles = reports.length
  return { status, totalFiles, successCount, failedCount, recordCount, warningCount } as const
}
