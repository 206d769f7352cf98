import { sql } from 'drizzle-orm'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import { FileFailure } from '@/lib/archives/plugin-file'
import { toFailure } from '@/lib/archives/read-content'
import { envelopeWarnings, mayBeEnvelope } from '@/lib/archives/read-rows'
import type { Actor } from '@/lib/auth/rights'
import { currentBudget } from '@/lib/db/budget'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { takesCopies } from '@/lib/db/copy-in'
import { isContention, isTimeout, isUnavailable, refusalIn } from '@/lib/db/errors'
import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Log } from '@/lib/log'
import { type FileReport, failedReport, successReport } from '@/lib/plugins/file-report'
import {
  type FileHistory,
  InstallClosedError,
  recordFiles,
} from '@/lib/plugins/history/record-files'
import type { MovedFiles } from '@/lib/plugins/lifecycle/moved-files'
import type { Choices } from '@/lib/plugins/lifecycle/origin'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { settlePending } from '@/lib/tables/settle-pending'
import { traced } from '@/lib/tracing/tracing'
import { applyData, prepareData } from './apply-data'
import { applyDefinitions } from './apply-definitions'
import { NotInParts } from './data-entity'
import type { DryRun } from './dry-run'
import { type FailedDefinitions, requireDefinitions } from './failed-definitions'
import { mayReveal } from './installer-rights'
import { isLoadable, loadData, mergeData } from './write-parts'

export type InstallContext = {
  /** Null in a dry run, which is not in the history. */
  installId: number | null
  /** Records each file with its own effects; null if all files are kept or none. */
  history: FileHistory | null
  pluginId: string
  /** The installer: decides what may be installed, and is recorded in the records' audit fields. */
  actor: Actor
  /** Names of the entities that this install has created so far. */
  created: Set<string>
  /** Those of the archive that are installed so far as it has them. */
  defined: DefinitionName[]
  /** Those that have failed so far. */
  failed: FailedDefinitions
  log: Log
  /** How long a file waits for locks of others. */
  waitMs: number
  /**
   * Set when everything is going to be rolled back: locks of others then end the run, not the file.
   */
  dryRun: DryRun | null
  moved: MovedFiles
} & Choices

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
  planned: PlannedFile,
  context: InstallContext,
  elapsed: () => number,
): Promise<FileReport> {
  if (planned.failure) throw planned.failure
  const { definitions, target } = planned
  // Another file of the archive may have given records of the entity.
  if (!definitions) await settlePending(db, { entities: [target ?? ''] })
  const file = definitions ? planned : await whereItWas(db, planned, context)
  const write = (work: Work, waitMs = context.waitMs) =>
    inTransaction(db, file, context, elapsed, { work, waitMs })
  if (definitions) {
    const waitMs = Math.min(MAX_DDL_WAIT_MS, context.waitMs)
    return write((tx) => applyDefinitions(tx, definitions, context), waitMs)
  }
  await requireDefinitions(db, file, context.failed)
  const report =
    (await installInParts(db, file, context, write)) ??
    (await installWhole(db, file, context, write))
  await context.dryRun?.afterRecords(db, file)
  return report
}

/** The data file with its former path; warns of records that would be recognised by paths that are not known. */
async function whereItWas(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
): Promise<PlannedFile> {
  const { from, lost } = await context.moved.of(db, context.pluginId, file)
  if (!lost) return { ...file, formerPath: from }
  const { paths, records } = lost
  const count = mayReveal(context, file.target ?? '') ? `${records} records` : 'records'
  const message = `The archive no longer has ${paths.join(', ')}, which gave ${count} without a key. They are not recognised in another file: those that are given again are created beside them`
  return { ...file, formerPath: from, warnings: [...file.warnings, { message }] }
}

type Write = (work: Work) => Promise<FileReport>

/** Reads and writes the records of a large file in parts. Null, with nothing written, when it has to be prepared first. */
async function installInParts(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
  write: Write,
): Promise<FileReport | null> {
  if (file.bytes.length < MIN_PARTED_BYTES) return null
  const isLoaded = takesCopies(db) && !context.dryRun && (await isLoadable(file))
  const installer = { ...context, isAtomic: context.history === null }
  for (const way of isLoaded ? [loadData, mergeData] : [mergeData])
    try {
      return await write(async (tx) => ({
        ...(await way(tx, file, installer)),
        ...NOTHING_DEFINED,
      }))
    } catch (error) {
      if (!(error instanceof NotInParts)) throw error
      if (error.isForRecords) return null
    }
  return null
}

/** Smaller files are one part, and no numbers are lost when one fails. */
const MIN_PARTED_BYTES = 256 * 1024

async function installWhole(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
  write: Write,
): Promise<FileReport> {
  // Reading and checking precede the transaction, which should hold its locks for writing only.
  const prepared = await prepareData(db, file, context)
  const areKeyed = prepared.contents.size === 0
  const parts = () => onePart(prepared.rows)
  await context.dryRun?.beforeRecords(db, { ...prepared, areKeyed, parts }, file)
  return write(async (tx) => ({
    ...(await applyData(tx, file, prepared, context)),
    ...NOTHING_DEFINED,
  }))
}

async function* onePart(rows: readonly PreparedRow[]) {
  yield rows
}

type Done = Parameters<typeof successReport>[1] & { created: string[] }
type Work = (tx: Db) => Promise<Done>

async function inTransaction(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
  elapsed: () => number,
  { work, waitMs }: { work: Work; waitMs: number },
): Promise<FileReport> {
  const { report, created } = await db.transaction(async (tx) => {
    const limit = sql`set_config('lock_timeout', ${String(waitMs)}::text, true)`
    const install = sql`set_config('engine.install', ${String(context.installId ?? '')}::text, true)`
    const limits = sql`${limit}, ${install}`
    const isLinked = file.definitions !== null || context.removed === 'delete'
    await tx.execute(
      isLinked ? sql`select ${limits}, ${ONE_AFTER_THE_OTHER}` : sql`select ${limits}`,
    )
    const done = await work(tx)
    await tx.execute(sql`set constraints all immediate`)
    const report = successReport(file, done, elapsed())
    if (context.history) await recordFiles(tx, context.history, [report])
    return { report, created: done.created }
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
