import { setImmediate as otherRequests } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { FileFailure, type InstallPlan, type PlannedFile } from '@/lib/archives/plugin-file'
import { readAhead } from '@/lib/archives/read-records'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import {
  type FileHistory,
  type FileReport,
  failedReport,
  insertFileReports,
  recordFiles,
  registerPlugin,
} from '@/lib/installs/file-report'
import { progressAnnouncer } from '@/lib/installs/history-entries'
import type { InstallRequest } from '@/lib/installs/install-request'
import { isEdited } from '@/lib/installs/is-edited'
import { requireSeal } from '@/lib/installs/seal/plan-with-seal'
import { registryChanged } from '@/lib/registry/registry'
import type { Signed } from '@/lib/signatures/signature'
import { settlePending } from '@/lib/tables/settle-pending'
import type { InstallContext } from '../points'
import { noneFailed, recordFailed } from './failed-definitions'
import { togetherInstaller } from './install-together'
import { runFile } from './run-file'
import { isContradicted, runWithRepairs } from './run-with-repairs'
import { passUnchanged } from './unchanged-files'

type Install = Choosing &
  Pick<InstallRequest, 'mode' | 'sha256' | 'seal' | 'acceptKey' | 'isLocal' | 'also'> &
  Pick<FileHistory, 'signer'> & { id: number; signed: Signed | null }

/**
 * Carries out the plan of an install that is in the history and holds its locks; each file, or all, in a transaction with its
 * report. Returns what was defined. Throws `InstallClosedError` when another process closed the install.
 */
export async function runPlan(
  deps: Deps,
  plan: InstallPlan,
  install: Install,
): Promise<readonly DefinitionName[]> {
  const stopReading = readFirstAhead(plan)
  try {
    return await (install.mode === 'atomic' ? runAtomic : runPartial)(deps, plan, install)
  } finally {
    stopReading()
  }
}

/** While definitions are installed, the first records are read; returns a function that ends it. */
function readFirstAhead({ files }: InstallPlan): () => void {
  const file = files.find(({ kind, failure }) => kind === 'data' && !failure)
  return file ? readAhead(file.bytes, file.limits) : () => {}
}

type Choosing = Pick<
  InstallRequest,
  'actor' | 'onConflict' | 'removed' | 'deleted' | 'decisions' | 'from' | 'isLocal'
>

/** What the files of a plan share, before the first. */
export const contextOf = (
  { log, layers }: Deps,
  { actor, onConflict, removed, deleted, decisions, from, isLocal }: Choosing,
  { manifest, files }: InstallPlan,
  own: Pick<InstallContext, 'installId' | 'history' | 'waitMs'>,
): InstallContext => ({
  ...own,
  pluginId: manifest.id,
  isEdited: isEdited(manifest, isLocal),
  isLocal: isLocal === true,
  actor,
  files,
  created: new Set(),
  defined: [],
  failed: noneFailed(),
  log,
  layers,
  dryRun: null,
  onConflict,
  removed,
  deleted,
  decisions,
  from,
})

/** Each file in a transaction of its own. Returns what was defined. */
async function runPartial(
  deps: Deps,
  plan: InstallPlan,
  install: Install,
): Promise<readonly DefinitionName[]> {
  const { manifest } = plan
  const { layers, settings } = deps
  const { id: installId, signer } = install
  const history = { installId, manifest, signer, layers, isRegistered: false }
  const waitMs = settings.INSTALL_WAIT_MS
  const context = contextOf(deps, install, plan, { installId, history, waitMs })
  const announce = progressAnnouncer(deps, install.id)
  for await (const { reports, isRecorded } of inTurn(deps.db, plan.files, context)) {
    for (const report of isRecorded ? [] : reports)
      if (report.status === 'failed')
        await deps.db.transaction((tx) => recordFiles(tx, history, [report]))
    if (reports.some(({ status }) => status !== 'failed')) history.isRegistered = true
    await announce()
    if (reports.some(changesRegistry)) await registryChanged(deps)
  }
  return context.defined
}

/** Also data: fields that are declared nowhere are known from records. */
const changesRegistry = ({ records }: FileReport) => records.created + records.updated > 0

type Turn = {
  /** Of one file, of several that change nothing, or of those that had to be installed together. */
  reports: FileReport[]
  /** In the history, failed ones included. */
  isRecorded: boolean
}

/** Installs files in their order; a definition that stored records contradict after the data that repair them. */
async function* inTurn(
  db: Db,
  files: readonly PlannedFile[],
  context: InstallContext,
): AsyncGenerator<Turn> {
  let [comparedTo, triedTo] = [0, 0]
  const installTogether = togetherInstaller(db, files, context)
  for (let at = 0; at < files.length; ) {
    const file = files[at]
    if (!file) return
    // The embedded database returns without yielding to the event loop, so this yields.
    await otherRequests()
    if (at >= comparedTo) {
      const { reports, tried } = await passUnchanged(db, files, at, context)
      recordDefined(context, files.slice(at), reports)
      if (reports.length > 0) yield { reports, isRecorded: true }
      comparedTo = at + tried
      at += reports.length
      continue
    }
    if (at >= triedTo) {
      const { reports, tried } = await installTogether(at)
      if (reports.length > 0) yield { reports, isRecorded: true }
      triedTo = at + tried
      at += reports.length
      continue
    }
    const report = await runFile(db, file, context)
    const repaired = isContradicted(report) ? await runWithRepairs(db, files, at, context) : null
    if (!repaired) await recordFailed(db, context.failed, file, report)
    const reports = repaired ?? [report]
    recordDefined(context, files.slice(at), reports)
    yield { reports, isRecorded: repaired !== null }
    at += reports.length
  }
}

/** Adds what the first of the files have defined. */
function recordDefined(
  { defined }: InstallContext,
  files: readonly PlannedFile[],
  reports: readonly FileReport[],
): void {
  for (const [index, { status }] of reports.entries()) {
    const definitions = files[index]?.definitions
    if (status === 'failed' || !definitions) continue
    for (const { name } of definitions.items) defined.push({ kind: definitions.kind, name })
  }
}

/** All files in one transaction; later files are checked even after a fault. Returns what was defined. */
async function runAtomic(
  deps: Deps,
  plan: InstallPlan,
  install: Install,
): Promise<readonly DefinitionName[]> {
  const { manifest } = plan
  const { layers, settings } = deps
  const [installId, waitMs] = [install.id, settings.INSTALL_WAIT_MS]
  const context = contextOf(deps, install, plan, { installId, history: null, waitMs })
  // Within the transaction, others would wait for what it settles until its end.
  await settlePending(deps.db, { entities: plan.files.map(({ target }) => target ?? '') })
  const undone = await untilRolledBack(() =>
    deps.db.transaction(async (tx) => {
      await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
      await requireSeal(tx, plan, install)
      const reports = await runFiles(tx, plan, context)
      if (reports.some(({ status }) => status === 'failed')) throw new RolledBack(reports)
      await insertFileReports(tx, install.id, reports)
      await registerPlugin(tx, { installId, manifest, signer: install.signer, layers })
      await install.also?.run(tx, install)
    }),
  )
  if (!undone) {
    await registryChanged(deps)
    return context.defined
  }
  const reports = rolledBack(plan.files, undone)
  await deps.db.transaction((tx) => insertFileReports(tx, install.id, reports))
  return []
}

/** Installs the files of a plan in the transaction `tx`, a savepoint a file, and reports each. */
export async function runFiles(
  tx: Db,
  plan: InstallPlan,
  context: InstallContext,
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  for await (const turn of inTurn(tx, plan.files, context)) {
    requireBudget(currentBudget())
    reports.push(...turn.reports)
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
