import { sql } from 'drizzle-orm'
import { openArchive } from '@/lib/archives/open-archive'
import { parsePlugin } from '@/lib/archives/parse-plugin'
import type { InstallPlan } from '@/lib/archives/plugin-file'
import { readSigned } from '@/lib/archives/signed-files'
import { withBudget } from '@/lib/db/budget'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { isTimeout } from '@/lib/db/errors'
import type { RecordConflict } from '@/lib/db/schema'
import type { Locks } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { RolledBack, runFiles, untilRolledBack } from '@/lib/installs/run/run-install'
import { settlePending } from '@/lib/tables/settle-pending'
import { suggestion } from '@/lib/values/nearest'
import type { RecordChanges } from './dry-run/compare-records'
import { openShadow, type Shadowed } from './dry-run/open-shadow'
import { ConflictsFound, recordTrial } from './dry-run/try-records'
import { type FileReport, ignoredReport } from './file-report'
import type { InstallRequest, RecordsPage } from './install-request'
import { isOlder } from './install-response'
import type { InstallPreview } from './plan-contract'
import type { InstallContext } from './points'
import { requireNamed } from './require-named'
import { requireSignature } from './require-signature'
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
  const signed = await readSigned(archive)
  requireNamed(archive.manifest, signed, request.named)
  await requireClearName(deps.db, archive.manifest)
  const asked = { ...request, signed }
  const { signature } = await requireSignature(deps, archive.manifest, asked)
  const plugin = await parsePlugin(archive, deps.settings)
  await settlePending(deps.db, { pluginIds: [plugin.manifest.id] })
  // The seal first: whatever changes while the plan is made breaks it.
  const { plan, seal } = await planWithSeal(deps, plugin, asked)
  const { id, name, version, changes: news } = plugin.manifest
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
    isDowngrade: isOlder(version, installed),
    signature,
    ...(news === null ? {} : { changes: news }),
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

type Tried = {
  reports: FileReport[]
  changes: RecordChanges | null
  conflicts: ReturnType<ConflictsFound['listed']>
}

/**
 * Carries out a plan on copies in a transaction that is rolled back; others don't notice it. Waits for
 * other dry runs. `changes` or `conflicts` are those of the records of the `page`, if one is asked for.
 * Throws `unprocessable` when it takes longer than DRY_RUN_TIMEOUT_MS, `unavailable` when other dry runs
 * take too long or the client disconnects, `forbidden` for records that the installer may not read, and
 * `invalid_input` for decisions about records without a conflict.
 */
async function tryPlan(
  { db, copyOut, locks, settings }: Pick<Deps, 'db' | 'copyOut' | 'locks' | 'settings'>,
  plan: InstallPlan,
  context: InstallContext,
  { page, signal }: { page?: RecordsPage; signal?: AbortSignal },
): Promise<Tried> {
  const ms = settings.DRY_RUN_TIMEOUT_MS
  let shadowed: ReadonlyMap<string, Shadowed> = new Map()
  const found = new ConflictsFound(context.decisions, page?.detail === 'conflicts' ? page : null)
  const originalOf = (name: string) => {
    const { isPartial, source: table, isDistributed } = shadowed.get(name) ?? {}
    return isPartial && table ? { table, isDistributed } : undefined
  }
  const trying = { ...context, originalOf }
  const trial = recordTrial({ copyOut, context: trying, found, page, shadowed: () => shadowed })
  const tryAll = () =>
    db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('lock_timeout', ${String(context.waitMs)}::text, true), ${ONE_AFTER_THE_OTHER}`,
      )
      const shadow = await openShadow(tx, copyOut, plan)
      shadowed = shadow.shadowed
      const running = { ...trying, onConflictFound: found.note, dryRun: trial }
      const reports = await runFiles(tx, shadow.plan, running)
      throw new RolledBack(reports.map(shadow.inOriginalNames))
    })
  const exceeded = tooSlow(ms)
  try {
    const reports = await untilRolledBack(() =>
      withBudget({ signal }, () =>
        holdDryRunLock(locks, settings.INSTALL_WAIT_MS, () => withBudget({ ms, exceeded }, tryAll)),
      ),
    )
    found.requireMet(reports ?? [])
    return { reports: reports ?? [], changes: trial.changes(), conflicts: found.listed() }
  } catch (error) {
    throw isTimeout(error) ? exceeded() : error
  }
}

/** Refers to nothing else: whatever is kept from a dry run, such as a thread, keeps its budget. */
const tooSlow = (limitMs: number) => () =>
  new AppError(
    'unprocessable',
    `The dry run took longer than ${limitMs / 1000} s and was stopped; install the archive without one, or in smaller parts`,
  )

/** Dry runs create schemas of the same names. */
const DRY_RUN_LOCK = 'dry-run'

/**
 * Runs `work` when no other dry run is in progress, in any process. Throws `unavailable` when
 * that takes longer than `waitMs`.
 */
async function holdDryRunLock<T>(locks: Locks, waitMs: number, work: () => Promise<T>): Promise<T> {
  let isTaken = false
  const begin = () => {
    isTaken = true
    return work()
  }
  try {
    return await locks.hold(DRY_RUN_LOCK, waitMs, begin)
  } catch (error) {
    const isBusy = !isTaken && error instanceof AppError && error.code === 'conflict'
    throw isBusy ? new AppError('unavailable', BUSY, { retryAfter: 10 }) : error
  }
}

const BUSY = 'Another dry run is in progress; try again when it is done'
