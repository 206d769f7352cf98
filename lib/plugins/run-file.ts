import { sql } from 'drizzle-orm'
import { isUnavailable } from '@/lib/db/errors'
import type { Db } from '@/lib/db/types'
import type { Log } from '@/lib/log'
import { applyData, prepareData } from './apply-data'
import { applyDefinitions } from './apply-definitions'
import { type FileReport, NO_RECORDS, statusOf } from './file-report'
import { InstallClosedError } from './install-closed-error'
import type { PlannedFile } from './install-plan'
import { toFailure } from './read-content'
import { FileFailure } from './verdict'

export type InstallContext = {
  installId: string
  pluginId: string
  /** Who installs: goes into the records' audit fields. */
  actorName: string
  log: Log
}

/**
 * Installs one file in a transaction of `db` (a savepoint when `db` is one already) and reports it.
 * `commit` runs inside that transaction, after success. A file at fault is reported as failed, with
 * nothing of it written; what is nobody's content (database away, `commit` refusing) is thrown.
 */
export async function runFile(
  db: Db,
  file: PlannedFile,
  context: InstallContext,
  commit: (tx: Db, report: FileReport) => Promise<void>,
): Promise<FileReport> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  try {
    if (file.failure) throw file.failure
    // Reading and checking come before the transaction: it should hold its locks for writing only.
    const prepared = file.definitions ? null : await prepareData(db, file)
    return await db.transaction(async (tx) => {
      const done = prepared
        ? { ...(await applyData(tx, file, prepared, context.actorName)), changes: [] }
        : await applyDefinitions(
            tx,
            file.definitions as NonNullable<typeof file.definitions>,
            context.pluginId,
          )
      await tx.execute(sql`set constraints all immediate`)
      const report = success(file, done, elapsed())
      await commit(tx, report)
      return report
    })
  } catch (error) {
    return failed(file, asFailure(error, file, context), elapsed())
  }
}

const base = ({ path, target, kind }: PlannedFile) => ({ path, target, kind, planned: true })

function success(
  file: PlannedFile,
  { counts, changes }: Pick<FileReport, 'changes'> & { counts: FileReport['records'] },
  durationMs: number,
): FileReport {
  return {
    ...base(file),
    status: statusOf(counts),
    error: null,
    details: [],
    detailCount: 0,
    changes,
    records: counts,
    durationMs,
  }
}

export function failed(
  file: PlannedFile,
  { verdict, details, detailCount }: FileFailure,
  durationMs: number,
): FileReport {
  const indexes = new Set(details.map(({ index }) => index).filter((index) => index !== undefined))
  const records = {
    ...NO_RECORDS,
    failed: Math.max(indexes.size, detailCount > details.length ? detailCount : 0),
  }
  return {
    ...base(file),
    status: 'failed',
    error: verdict,
    details,
    detailCount,
    changes: [],
    records,
    durationMs,
  }
}

function asFailure(
  error: unknown,
  file: PlannedFile,
  { log, installId }: InstallContext,
): FileFailure {
  if (error instanceof InstallClosedError || isUnavailable(error)) throw error
  const failure = toFailure(error)
  if (failure) return failure
  log.error(
    { installId, path: file.path, error: String((error as Error)?.cause ?? error).slice(0, 500) },
    'file of a plugin failed unexpectedly',
  )
  const message = `Something went wrong on our side; the log line with installation id ${installId} tells what`
  return new FileFailure('Internal error', [{ message }])
}
