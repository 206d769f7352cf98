import { recordAudit } from '@/lib/audit/record-audit'
import type { Db } from '@/lib/db/types'
import { registryChanged } from '@/lib/entities/registry'
import type { Deps } from '@/lib/runtime'
import { type FileReport, NO_RECORDS } from './file-report'
import type { InstallPlan, PlannedFile } from './install-plan'
import type { InstallRequest } from './install-plugin'
import { loadInstalled } from './load-installed'
import type { ParsedPlugin } from './parse-plugin'
import { planInstall } from './plan-install'
import { failed, type InstallContext, runFile } from './run-file'
import { closeInstall, insertFileReport, upsertPlugin } from './store'
import { FileFailure } from './verdict'

type Install = Omit<InstallRequest, 'archive'> & { id: string; plugin: ParsedPlugin }

/** Plans and carries out an install that is in the history and holds its locks; leaves it terminal. */
export async function runInstall(deps: Deps, install: Install): Promise<void> {
  const { id, plugin, mode, actor } = install
  const plan = await planInstall(plugin, await loadInstalled(deps.db))
  const context: InstallContext = {
    installId: id,
    pluginId: plugin.manifest.id,
    actorName: actor.name,
    log: deps.log,
  }
  for (const ignored of plugin.ignored) await insertFileReport(deps.db, id, ignoredReport(ignored))
  await (mode === 'atomic' ? runAtomic : runPartial)(deps, plan, context)
  await deps.db.transaction(async (tx) => {
    await closeInstall(tx, id, 'Interrupted', [])
    await auditInstall(tx, install)
  })
  await registryChanged(deps)
}

/** Each file in a transaction of its own. */
async function runPartial(deps: Deps, plan: InstallPlan, context: InstallContext): Promise<void> {
  let isRegistered = false
  for (const file of plan.files) {
    const report = await runFile(deps.db, file, context, async (tx, success) => {
      await insertFileReport(tx, context.installId, success)
      if (!isRegistered) await upsertPlugin(tx, plan.manifest, context.installId)
    })
    if (report.status === 'failed')
      await deps.db.transaction((tx) => insertFileReport(tx, context.installId, report))
    else isRegistered = true
    if (report.kind !== 'data' || report.records.created + report.records.updated > 0)
      await registryChanged(deps)
  }
}

/** All files in one transaction; the first fault does not hide the others. */
async function runAtomic(deps: Deps, plan: InstallPlan, context: InstallContext): Promise<void> {
  const reports = await attempt(deps.db, plan, context, async (tx, all) => {
    if (all.some(({ status }) => status === 'failed')) return false
    for (const report of all) await insertFileReport(tx, context.installId, report)
    await upsertPlugin(tx, plan.manifest, context.installId)
    return true
  })
  if (!reports.some(({ status }) => status === 'failed')) return
  await deps.db.transaction(async (tx) => {
    for (const report of rolledBack(plan.files, reports))
      await insertFileReport(tx, context.installId, report)
  })
}

/**
 * Carries out a plan in one transaction, a savepoint a file, and keeps it only if `keep` says so.
 * Answers what became of each file, or would have.
 */
export async function attempt(
  db: Db,
  plan: InstallPlan,
  context: InstallContext,
  keep: (tx: Db, reports: FileReport[]) => Promise<boolean>,
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  try {
    await db.transaction(async (tx) => {
      for (const file of plan.files) reports.push(await runFile(tx, file, context, async () => {}))
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
    return failed(file, new FileFailure('Rolled back', [{ message }]), report.durationMs)
  })
}

export const ignoredReport = ({ path, reason }: { path: string; reason: string }): FileReport => ({
  path,
  target: null,
  kind: null,
  status: 'ignored',
  error: reason,
  details: [],
  detailCount: 0,
  changes: [],
  records: NO_RECORDS,
  durationMs: 0,
  planned: false,
})

async function auditInstall(
  tx: Db,
  { id, plugin, actor, source, requestId }: Install,
): Promise<void> {
  const { id: pluginId, version } = plugin.manifest
  await recordAudit(tx, actor, {
    action: 'plugins.install',
    objectType: 'plugin',
    objectId: pluginId,
    details: { history: id, version, source },
    requestId,
  })
}
