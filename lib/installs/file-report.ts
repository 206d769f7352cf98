import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { PluginManifest } from '@/lib/archives/manifests'
import {
  type FileFailure,
  type FileKind,
  MAX_DETAILS,
  type PlannedFile,
} from '@/lib/archives/plugin-file'
import { around, type Layers } from '@/lib/around'
import {
  type DefinitionName,
  installFiles,
  installs,
  plugins,
  type RecordCounts,
  type Signer,
} from '@/lib/db/schema'
import { type Db, plus } from '@/lib/db/sql'
import type { fileOutcome } from './contract'

/**
 * What happened to a file, or would in a dry run: a row of the history's log. `planned`: a content file; other files
 * are reported as ignored without being counted.
 */
export type FileReport = z.infer<z.ZodObject<typeof fileOutcome>> & {
  kind: FileKind | null
  planned: boolean
}

/** Of a file that found nothing changed here. */
export const NO_CONFLICTS = {
  conflicts: [],
  conflictCount: 0,
  removed: { total: 0, deleted: 0 },
  deleted: { kept: 0, restored: 0 },
}

export const NO_RECORDS: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }

/** `updated` if anything was updated or deleted, otherwise `created` if anything was, otherwise `unchanged`. */
function statusOf({ created, updated }: RecordCounts, deleted: number) {
  if (updated + deleted > 0) return 'updated'
  return created > 0 ? 'created' : 'unchanged'
}

/** Of what nothing is known but that it is there. */
export const EMPTY_REPORT = {
  ...{ target: null, kind: null, error: null, durationMs: 0, planned: true },
  ...{ details: [], detailCount: 0, groups: [], warnings: [], changes: [], records: NO_RECORDS },
  ...NO_CONFLICTS,
} satisfies Omit<FileReport, 'path' | 'status'>

const base = ({ path, target, kind, warnings }: PlannedFile) => ({
  ...EMPTY_REPORT,
  ...{ path, target, kind, warnings: warnings.slice(0, MAX_DETAILS) },
})

type Success = Pick<FileReport, 'changes'> & { counts: FileReport['records'] } & Partial<
    Pick<FileReport, 'conflicts' | 'conflictCount' | 'removed' | 'deleted'>
  >

/** Of a file that was installed. */
export function successReport(
  file: PlannedFile,
  { counts, changes, ...rest }: Success,
  durationMs: number,
): FileReport {
  const { conflicts, conflictCount, removed, deleted } = { ...NO_CONFLICTS, ...rest }
  return {
    ...base(file),
    status: statusOf(counts, removed.deleted),
    ...{ changes, records: counts, conflicts, conflictCount, removed, deleted, durationMs },
  }
}

/** Of a file that was not written. */
export function failedReport(
  file: PlannedFile,
  { verdict, details, detailCount, groups, recordCount, found }: FileFailure,
  durationMs: number,
): FileReport {
  const indexes = new Set(details.map(({ index }) => index).filter((index) => index !== undefined))
  const records = { ...NO_RECORDS, failed: recordCount ?? indexes.size }
  return {
    ...base(file),
    status: 'failed',
    error: verdict,
    ...{ details, detailCount, groups, records, ...found, durationMs },
  }
}

/** Of a file that is not a content file. */
export const ignoredReport = ({ path, reason }: { path: string; reason: string }): FileReport => ({
  ...EMPTY_REPORT,
  path,
  status: 'ignored',
  error: reason,
  planned: false,
})

/** The install is closed (another process found it abandoned): nothing more may be written. */
export class InstallClosedError extends Error {
  override readonly name = 'InstallClosedError'
}

const MAX_ROWS_A_STATEMENT = 500

/**
 * Records the outcome of files, in the transaction of their own effects. Throws `InstallClosedError`
 * when the install is already closed: nothing more may be written for it.
 */
export async function insertFileReports(
  tx: Db,
  installId: number,
  files: readonly FileReport[],
): Promise<void> {
  const counted = files.filter(({ planned }) => planned)
  const failedCount = counted.filter(({ status }) => status === 'failed').length
  const recordCount = counted.reduce((sum, file) => sum + recordsKept(file), 0)
  const warningCount = counted.reduce((sum, { warnings }) => sum + warnings.length, 0)
  const updated = await tx
    .update(installs)
    .set({
      processedFiles: plus(installs.processedFiles, counted.length),
      successCount: plus(installs.successCount, counted.length - failedCount),
      failedCount: plus(installs.failedCount, failedCount),
      recordCount: plus(installs.recordCount, recordCount),
      warningCount: plus(installs.warningCount, warningCount),
    })
    .where(and(eq(installs.id, installId), eq(installs.status, 'IN_PROGRESS')))
    .returning({ id: installs.id })
  if (updated.length === 0)
    throw new InstallClosedError('The installation was closed by another process')
  const rows = files.map(({ kind: _, planned: __, groups, ...row }) => ({
    ...{ installId, ...row },
    records: groups.length > 0 ? { ...row.records, groups } : row.records,
  }))
  for (let from = 0; from < rows.length; from += MAX_ROWS_A_STATEMENT)
    await tx.insert(installFiles).values(rows.slice(from, from + MAX_ROWS_A_STATEMENT))
}

const recordsKept = ({ kind, status, records }: FileReport) =>
  kind === 'data' && status !== 'failed' ? records.created + records.updated + records.unchanged : 0

/** The install in which files are recorded; `isRegistered`: the plugin already counts as installed. */
export type FileHistory = {
  installId: number
  manifest: PluginManifest
  signer: Signer | null
  layers: Layers
  isRegistered: boolean
}

/**
 * Records files in the transaction of their own effects; the first file that succeeds makes the plugin
 * installed. Throws `InstallClosedError` when the install is already closed.
 */
export async function recordFiles(
  tx: Db,
  history: FileHistory,
  reports: readonly FileReport[],
): Promise<void> {
  await insertFileReports(tx, history.installId, reports)
  if (!history.isRegistered && reports.some(({ status }) => status !== 'failed'))
    await registerPlugin(tx, history)
}

/** Creates or replaces the row of an installed plugin. */
export const registerPlugin = (tx: Db, history: Omit<FileHistory, 'isRegistered'>): Promise<void> =>
  around(history, 'registerPlugin', tx, async ({ manifest, signer, installId }) => {
    const { id, raw, variables: _, onConflict: __, ...rest } = manifest
    const values = { ...rest, manifest: raw, signer, lastHistoryId: installId }
    await tx
      .insert(plugins)
      .values({ id, ...values })
      .onConflictDoUpdate({ target: plugins.id, set: { ...values, updatedAt: new Date() } })
  })

/** Keeps what an install defined, if it made the plugin what it is. */
export async function saveDefined(
  tx: Db,
  pluginId: string,
  historyId: number,
  defines: readonly DefinitionName[],
): Promise<void> {
  await tx
    .update(plugins)
    .set({ defines: [...defines], updatedAt: sql`${plugins.updatedAt}` })
    .where(and(eq(plugins.id, pluginId), eq(plugins.lastHistoryId, historyId)))
}
