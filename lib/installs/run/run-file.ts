import { sql } from 'drizzle-orm'
import { FileFailure, type LocalChanges, type PlannedFile } from '@/lib/archives/plugin-file'
import { toFailure } from '@/lib/archives/read-content'
import { envelopeWarnings, mayBeEnvelope } from '@/lib/archives/read-rows'
import { around } from '@/lib/around'
import { currentBudget } from '@/lib/db/budget'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { takesCopies } from '@/lib/db/copy-in'
import { isContention, isTimeout, isUnavailable, refusalIn } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { holdDefinitions } from '@/lib/tables/definition-transaction'
import { settlePending } from '@/lib/tables/settle-pending'
import { traced } from '@/lib/tracing/tracing'
import {
  type FileReport,
  failedReport,
  InstallClosedError,
  recordFiles,
  successReport,
} from '../file-report'
import type { DataContext, InstallContext } from '../points'
import { NotInParts, type Written } from '../write-records'
import { applyData, prepareData } from './apply-data'
import { applyDefinitions } from './apply-definitions'
import { requireDefinitions } from './failed-definitions'
import { isLoadable, loadData, mergeData } from './write-parts'

/**
 * Installs one file in a transaction of `db` (a savepoint when `db` is one already) and reports it.
 * A file with faults is reported as failed, with nothing of it written; errors that its content did
 * not cause (database not available, install closed) are thrown.
 */
export async function runFile(
  db: Db,
  planned: PlannedFile,
  context: InstallContext,
): Promise<FileReport> {
  const startedAt = performance.now()
  const file = await withWarnings(db, planned)
  const elapsed = () => Math.round(performance.now() - startedAt)
  for (;;) {
    try {
      const install = () => installFile(db, file, context, elapsed)
      return await traced(currentBudget().spent?.trace, 'install file', install)
    } catch (error) {
      const again = isContention(error) && !context.dryRun && elapsed() < context.waitMs
      if (!again) return failedReport(file, asFailure(error, file, context), elapsed())
    }
  }
}

/** A file of data with what can only be said of its records. */
async function withWarnings(db: Db, file: PlannedFile): Promise<PlannedFile> {
  if (file.kind !== 'data' || file.failure || !mayBeEnvelope(file)) return file
  const [found] = await entitiesNamed(db, [file.target ?? ''])
  if (!found) return file
  const warnings = await envelopeWarnings(file, mergeEntity(found.row, found.schema))
  return { ...file, warnings: [...file.warnings, ...warnings] }
}

/**
 * A waiting change of a table blocks all later users of the table, so it lets them pass in between.
 */
const MAX_DDL_WAIT_MS = 2_000

async function installFile(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
  elapsed: () => number,
): Promise<FileReport> {
  const { definitions, local } = file
  for (const conflict of local?.conflicts ?? []) context.onConflictFound?.(file, conflict)
  if (file.failure) throw file.failure
  if (!definitions) {
    // Another file of the archive may have given records of the entity.
    await settlePending(db, { entities: [file.target ?? ''] })
    return around({ ...context, file }, 'installData', db, (used) => installData(db, used, elapsed))
  }
  const waitMs = Math.min(MAX_DDL_WAIT_MS, context.waitMs)
  const work = async (tx: Db) => withLocal(await applyDefinitions(tx, definitions, context), local)
  return inTransaction(db, { ...context, file, waitMs }, elapsed, work)
}

function withLocal<A extends { changes: string[] }>(applied: A, local: LocalChanges | undefined) {
  if (!local) return applied
  const { kept, conflicts, conflictCount } = local
  return { ...applied, changes: [...applied.changes, ...kept], conflicts, conflictCount }
}

async function installData(
  db: Db,
  context: DataContext,
  elapsed: () => number,
): Promise<FileReport> {
  const { file, dryRun } = context
  await requireDefinitions(db, file, context.failed)
  const write = (work: (tx: Db) => Promise<Written>) =>
    inTransaction(db, context, elapsed, async (tx) => {
      const written = await work(tx)
      await tx.execute(sql`set constraints all immediate`)
      return { ...written, ...NOTHING_DEFINED }
    })
  const report =
    (await installInParts(db, context, write)) ?? (await installWhole(db, context, write))
  await dryRun?.afterRecords(db, file)
  return report
}

type Write = (work: (tx: Db) => Promise<Written>) => Promise<FileReport>

/** Reads and writes the records of a large file in parts. Null, with nothing written, when it has to be prepared first. */
async function installInParts(
  db: Db,
  context: DataContext,
  write: Write,
): Promise<FileReport | null> {
  const { file, dryRun } = context
  if (file.bytes.length < MIN_PARTED_BYTES) return null
  const isLoaded = takesCopies(db) && !dryRun && (await isLoadable(file))
  for (const way of isLoaded ? [loadData, mergeData] : [mergeData])
    try {
      return await write((tx) => way(tx, context))
    } catch (error) {
      if (!(error instanceof NotInParts)) throw error
      if (error.isForRecords) return null
    }
  return null
}

/** Smaller files are one part, and no numbers are lost when one fails. */
const MIN_PARTED_BYTES = 256 * 1024

async function installWhole(db: Db, context: DataContext, write: Write): Promise<FileReport> {
  // Reading and checking precede the transaction, which should hold its locks for writing only.
  const prepared = await prepareData(db, context)
  const areKeyed = prepared.contents.size === 0
  const parts = () => onePart(prepared.rows)
  await context.dryRun?.beforeRecords(db, { ...prepared, areKeyed, parts }, context)
  return write((tx) => applyData(tx, prepared, context))
}

async function* onePart(rows: readonly PreparedRow[]) {
  yield rows
}

type Outcome = Parameters<typeof successReport>[1] & { created: string[] }

async function inTransaction(
  db: Db,
  context: DataContext,
  elapsed: () => number,
  work: (tx: Db) => Promise<Outcome>,
): Promise<FileReport> {
  const { file, installId, history, waitMs } = context
  const { report, created } = await db.transaction(async (tx) => {
    const limit = sql`set_config('lock_timeout', ${String(waitMs)}::text, true)`
    const install = sql`set_config('engine.install', ${String(installId ?? '')}::text, true)`
    const limits = sql`${limit}, ${install}`
    if (file.definitions) await holdDefinitions(tx, limits)
    else if (context.removed === 'delete')
      await tx.execute(sql`select ${limits}, ${ONE_AFTER_THE_OTHER}`)
    else await tx.execute(sql`select ${limits}`)
    const outcome = await work(tx)
    const report = successReport(file, outcome, elapsed())
    if (history) await recordFiles(tx, history, [report])
    return { report, created: outcome.created }
  })
  for (const name of created) context.created.add(name)
  return report
}

const NOTHING_DEFINED = { changes: [], created: [] }

function asFailure(error: unknown, file: PlannedFile, context: InstallContext): FileFailure {
  if (error instanceof InstallClosedError || isUnavailable(error)) throw error
  if (context.dryRun && (isTimeout(error) || refusalIn(error))) throw error
  if (isContention(error)) {
    if (context.dryRun) throw error
    return new FileFailure('Interrupted', [{ message: LOCKED }])
  }
  const failure = toFailure(error)
  if (failure) return failure
  const { log, installId } = context
  log.error(
    { installId, path: file.path, error: String((error as Error)?.cause ?? error).slice(0, 500) },
    'file of a plugin failed unexpectedly',
  )
  const message = `Internal error; see the log entry of ${installId === null ? 'this dry run' : `installation ${installId}`}`
  return new FileFailure('Internal error', [{ message }])
}

const LOCKED = 'Other requests keep locked what this file changes; install the archive again'
