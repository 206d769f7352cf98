import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { currentBudget } from '@/lib/db/budget'
import { takesCopies } from '@/lib/db/copy-in'
import { isContention, isTimeout, isUnavailable, refusalIn } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { Log } from '@/lib/log'
import { toFailure } from '@/lib/plugins/content/read-content'
import { type FileReport, failedReport, successReport } from '@/lib/plugins/file-report'
import {
  type FileHistory,
  InstallClosedError,
  recordFile,
} from '@/lib/plugins/history/record-files'
import type { Choices } from '@/lib/plugins/lifecycle/origin'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { traced } from '@/lib/tracing/tracing'
import { applyData, type PreparedData, prepareData } from './apply-data'
import { applyDefinitions } from './apply-definitions'
import { isLoadable, loadData, NotLoaded } from './load-data'

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
  log: Log
  /** How long a file waits for locks of others. */
  waitMs: number
  /**
   * Set when everything is going to be rolled back: locks of others then end the run, not the file.
   */
  dryRun: DryRun | null
} & Choices

/** The additional work of a dry run: called before a file's records are written, and after. */
export type DryRun = {
  beforeRecords: RecordsHook
  afterRecords: RecordsHook
}

type RecordsHook = (tx: Db, prepared: PreparedData, file: PlannedFile) => Promise<void>

/**
 * Installs one file in a transaction of `db` (a savepoint when `db` is one already) and reports it.
 * A file with faults is reported as failed, with nothing of it written; errors that its content did
 * not cause (database not available, install closed) are thrown.
 */
export async function runFile(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
): Promise<FileReport> {
  const startedAt = performance.now()
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
  if (file.failure) throw file.failure
  const { definitions } = file
  const write = (work: Work, waitMs = context.waitMs) =>
    inTransaction(db, file, context, elapsed, { work, waitMs })
  if (definitions) {
    const waitMs = Math.min(MAX_DDL_WAIT_MS, context.waitMs)
    return write((tx) => applyDefinitions(tx, definitions, context), waitMs)
  }
  const mayLoad = takesCopies(db) && !context.dryRun && (await isLoadable(file))
  const loaded = mayLoad ? await load(file, context, write) : null
  if (loaded) return loaded
  // Reading and checking precede the transaction, which should hold its locks for writing only.
  const prepared = await prepareData(db, file, context)
  await context.dryRun?.beforeRecords(db, prepared, file)
  const report = await write(async (tx) => ({
    ...(await applyData(tx, file, prepared, context)),
    ...NOTHING_DEFINED,
  }))
  await context.dryRun?.afterRecords(db, prepared, file)
  return report
}

/** Null, with nothing written, when the file has to be prepared first. */
async function load(
  file: PlannedFile,
  context: InstallContext,
  write: (work: Work) => Promise<FileReport>,
): Promise<FileReport | null> {
  try {
    return await write(async (tx) => ({
      ...(await loadData(tx, file, { ...context, isAtomic: context.history === null })),
      ...NOTHING_DEFINED,
    }))
  } catch (error) {
    if (error instanceof NotLoaded) return null
    throw error
  }
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
    await tx.execute(sql`set local lock_timeout = ${sql.raw(String(waitMs))}`)
    const done = await work(tx)
    await tx.execute(sql`set constraints all immediate`)
    const report = successReport(file, done, elapsed())
    if (context.history) await recordFile(tx, context.history, report)
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
