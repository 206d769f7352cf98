import { and, eq, sql } from 'drizzle-orm'
import type { PluginManifest } from '@/lib/archives/manifests'
import { around, type Layers } from '@/lib/around'
import { type DefinitionName, installFiles, installs, plugins } from '@/lib/db/schema'
import { type Db, plus } from '@/lib/db/sql'
import type { FileReport } from './file-report'

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
  around(history, 'registerPlugin', tx, async ({ manifest, installId }) => {
    const { id, raw, variables: _, onConflict: __, ...rest } = manifest
    const values = { ...rest, manifest: raw, lastHistoryId: installId }
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
