import { setImmediate as otherRequests } from 'node:timers/promises'
import { currentBudget } from '@/lib/db/budget'
import { requireBudget } from '@/lib/db/give-up'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import type { ParsedPlugin } from '@/lib/plugins/archive/parse-plugin'
import { type FileReport, failedReport, ignoredReport } from '@/lib/plugins/file-report'
import { progressAnnouncer } from '@/lib/plugins/history/announce-progress'
import { InstallClosedError } from '@/lib/plugins/history/install-closed-error'
import { closeInstall, insertFileReports } from '@/lib/plugins/history/record-install'
import type { InstallPlan, PlannedFile } from '@/lib/plugins/install-plan'
import type { InstallRequest } from '@/lib/plugins/install-request'
import { loadInstalled } from '@/lib/plugins/plan/load-installed'
import { planInstall } from '@/lib/plugins/plan/plan-install'
import { upsertPlugin } from '@/lib/plugins/store'
import { FileFailure } from '@/lib/plugins/verdict'
import { registryChanged } from '@/lib/registry/registry'
import { type InstallContext, runFile } from './run-file'

type InstallRun = InstallContext & { installId: number }

type Install = Pick<InstallRequest, 'mode' | 'actor'> & { id: number; plugin: ParsedPlugin }

/**
 * Plans and carries out an install that is in the history and holds its locks; leaves it terminal.
 * Throws `InstallClosedError` when somebody else closed it.
 */
export async function runInstall(deps: Deps, { id, plugin, mode, actor }: Install): Promise<void> {
  const plan = await planInstall(plugin, await loadInstalled(deps.db))
  const context: InstallRun = {
    installId: id,
    pluginId: plugin.manifest.id,
    actor,
    created: new Set(),
    log: deps.log,
    waitMs: deps.settings.INSTALL_WAIT_MS,
    dryRun: null,
  }
  const ignored = plugin.ignored.map(ignoredReport)
  await deps.db.transaction((tx) => insertFileReports(tx, id, ignored))
  await (mode === 'atomic' ? runAtomic : runPartial)(deps, plan, context)
  await deps.db.transaction(async (tx) => {
    if (!(await closeInstall(tx, id, 'Interrupted', [])))
      throw new InstallClosedError('The installation was closed before its end')
  })
  await progressAnnouncer(deps, id)({ now: true })
  await registryChanged(deps)
}

// The embedded database answers without a turn of the event loop, so `otherRequests` makes one.

/** Each file in a transaction of its own. */
async function runPartial(deps: Deps, plan: InstallPlan, context: InstallRun): Promise<void> {
  const { installId } = context
  const announce = progressAnnouncer(deps, installId)
  let isRegistered = false
  for (const file of plan.files) {
    await otherRequests()
    const report = await runFile(deps.db, file, context, async (tx, success) => {
      await insertFileReports(tx, installId, [success])
      if (!isRegistered) await upsertPlugin(tx, plan.manifest, installId)
    })
    if (report.status === 'failed')
      await deps.db.transaction((tx) => insertFileReports(tx, installId, [report]))
    else isRegistered = true
    await announce()
    if (report.kind !== 'data' || report.records.created + report.records.updated > 0)
      await registryChanged(deps)
  }
}

/** All files in one transaction; the first fault does not hide the others. */
async function runAtomic(deps: Deps, plan: InstallPlan, context: InstallRun): Promise<void> {
  const { installId } = context
  const reports = await attempt(deps.db, plan, context, async (tx, all) => {
    if (all.some(({ status }) => status === 'failed')) return false
    await insertFileReports(tx, installId, all)
    await upsertPlugin(tx, plan.manifest, installId)
    return true
  })
  if (!reports.some(({ status }) => status === 'failed')) return
  const undone = rolledBack(plan.files, reports)
  await deps.db.transaction((tx) => insertFileReports(tx, installId, undone))
}

/**
 * Carries out a plan in one transaction, a savepoint a file, and keeps it only if `keep` says so.
 * `prepare` comes first in it. Returns what became of each file, or would have.
 */
export async function attempt(
  db: Db,
  plan: InstallPlan,
  context: InstallContext,
  keep: (tx: Db, reports: FileReport[]) => Promise<boolean>,
  prepare: (tx: Db) => Promise<void> = async () => {},
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  try {
    await db.transaction(async (tx) => {
      await prepare(tx)
      for (const file of plan.files) {
        await otherRequests()
        requireBudget(currentBudget())
        reports.push(await runFile(tx, file, context, async () => {}))
      }
      if (!(await keep(tx, reports))) throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return reports
}

class Undo extends Error {}

/** The reports of a failed atomic install: files without a fault of their own were rolled back. */
export function rolledBack(
  files: readonly PlannedFile[],
  reports: readonly FileReport[],
): FileReport[] {
  const message = 'Another file of the archive failed; in atomic mode nothing is written then'
  return reports.map((report, at) => {
    const file = files[at]
    if (report.status === 'failed' || !file) return report
    return failedReport(file, new FileFailure('Rolled back', [{ message }]), report.durationMs)
  })
}
