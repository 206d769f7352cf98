import { setImmediate as otherRequests } from 'node:timers/promises'
import { currentBudget } from '@/lib/db/budget'
import { requireBudget } from '@/lib/db/give-up'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import type { ParsedPlugin } from '@/lib/plugins/archive/parse-plugin'
import { type FileReport, failedReport, ignoredReport } from '@/lib/plugins/file-report'
import { progressAnnouncer } from '@/lib/plugins/history/announce-progress'
import { closeInstall } from '@/lib/plugins/history/close-install'
import {
  type FileHistory,
  InstallClosedError,
  insertFileReports,
  recordFile,
} from '@/lib/plugins/history/record-files'
import type { InstallRequest } from '@/lib/plugins/install-request'
import { loadInstalled, planInstall } from '@/lib/plugins/plan/plan-install'
import type { InstallPlan, PlannedFile } from '@/lib/plugins/plugin-file'
import { upsertPlugin } from '@/lib/plugins/store'
import { FileFailure } from '@/lib/plugins/verdict'
import { registryChanged } from '@/lib/registry/registry'
import { type InstallContext, runFile } from './run-file'

type Install = Pick<InstallRequest, 'mode' | 'actor'> & { id: number; plugin: ParsedPlugin }

/**
 * Plans and carries out an install that is in the history and holds its locks; closes it.
 * Throws `InstallClosedError` when another process closed it.
 */
export async function runInstall(deps: Deps, install: Install): Promise<void> {
  const { id, plugin, mode } = install
  const plan = await planInstall(plugin, await loadInstalled(deps.db))
  const ignored = plugin.ignored.map(ignoredReport)
  await deps.db.transaction((tx) => insertFileReports(tx, id, ignored))
  await (mode === 'atomic' ? runAtomic : runPartial)(deps, plan, install)
  await deps.db.transaction(async (tx) => {
    if (!(await closeInstall(tx, id, 'Interrupted', [])))
      throw new InstallClosedError('The installation was closed before its end')
  })
  await progressAnnouncer(deps, id)({ now: true })
  await registryChanged(deps)
}

const contextOf = (
  { log, settings }: Deps,
  { id, plugin, actor }: Install,
  history: FileHistory | null,
): InstallContext => ({
  installId: id,
  history,
  pluginId: plugin.manifest.id,
  actor,
  created: new Set(),
  log,
  waitMs: settings.INSTALL_WAIT_MS,
  dryRun: null,
})

/** Each file in a transaction of its own. */
async function runPartial(deps: Deps, plan: InstallPlan, install: Install): Promise<void> {
  const history = { installId: install.id, manifest: plan.manifest, isRegistered: false }
  const context = contextOf(deps, install, history)
  const announce = progressAnnouncer(deps, install.id)
  for (const file of plan.files) {
    // The embedded database returns without yielding to the event loop, so this yields.
    await otherRequests()
    const report = await runFile(deps.db, file, context)
    if (report.status === 'failed')
      await deps.db.transaction((tx) => recordFile(tx, history, report))
    else history.isRegistered = true
    await announce()
    if (report.kind !== 'data' || report.records.created + report.records.updated > 0)
      await registryChanged(deps)
  }
}

/** All files in one transaction; later files are checked even after a fault. */
async function runAtomic(deps: Deps, plan: InstallPlan, install: Install): Promise<void> {
  const context = contextOf(deps, install, null)
  const undone = await untilRolledBack(() =>
    deps.db.transaction(async (tx) => {
      const reports = await runFiles(tx, plan, context)
      if (reports.some(({ status }) => status === 'failed')) throw new RolledBack(reports)
      await insertFileReports(tx, install.id, reports)
      await upsertPlugin(tx, plan.manifest, install.id)
    }),
  )
  if (!undone) return
  const reports = rolledBack(plan.files, undone)
  await deps.db.transaction((tx) => insertFileReports(tx, install.id, reports))
}

/** Installs the files of a plan in the transaction `tx`, a savepoint a file, and reports each. */
export async function runFiles(
  tx: Db,
  plan: InstallPlan,
  context: InstallContext,
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  for (const file of plan.files) {
    await otherRequests()
    requireBudget(currentBudget())
    reports.push(await runFile(tx, file, context))
  }
  return reports
}

/** Thrown to roll a transaction back; `reports` are the outcomes of its files. */
export class RolledBack extends Error {
  constructor(readonly reports: FileReport[]) {
    super('The transaction was rolled back')
  }
}

/** The reports with which `work` rolled its transaction back, or null when it did not. */
export async function untilRolledBack(work: () => Promise<unknown>): Promise<FileReport[] | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof RolledBack) return error.reports
    throw error
  }
}

/** The reports of a failed atomic install: files without a fault of their own were rolled back. */
export function rolledBack(
  files: readonly PlannedFile[],
  reports: readonly FileReport[],
): FileReport[] {
  const message = 'Another file of the archive failed; in atomic mode nothing is written'
  return reports.map((report, at) => {
    const file = files[at]
    if (report.status === 'failed' || !file) return report
    return failedReport(file, new FileFailure('Rolled back', [{ message }]), report.durationMs)
  })
}
