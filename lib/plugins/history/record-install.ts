import 'server-only'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { now, plus } from '@/lib/db/functions'
import { one, rows } from '@/lib/db/rows'
import { type InstallRow, installFiles, installs } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { PluginManifest } from '@/lib/plugins/archive/plugin-manifest'
import type { FileReport } from '@/lib/plugins/file-report'
import type { Verdict } from '@/lib/plugins/verdict'

export type NewInstall = Pick<InstallRow, 'id' | 'source' | 'sha256' | 'mode' | 'installedBy'> & {
  manifest: PluginManifest
  planned: InstallRow['planned']
}

/** The install is closed (another process found it abandoned): nothing more may be written. */
export class InstallClosedError extends Error {
  override readonly name = 'InstallClosedError'
}

/**
 * Reserves the number of the next install. Numbers rise in the order in which installs start; a number
 * is missing if an install ended before it was in the history.
 */
export async function nextInstallId(db: Db): Promise<number> {
  const next = await rows<{ id: string }>(
    db,
    sql`select nextval(pg_get_serial_sequence('engine.installs', 'id')) as id`,
  )
  return Number(one(next).id)
}

/** Adds an install to the history as IN_PROGRESS, with all planned files. */
export async function insertInstall(
  db: Db,
  { manifest, planned, ...rest }: NewInstall,
): Promise<InstallRow> {
  const inserted = await db
    .insert(installs)
    .values({
      ...rest,
      pluginId: manifest.id,
      pluginName: manifest.name,
      version: manifest.version,
      status: 'IN_PROGRESS',
      planned,
      totalFiles: planned.length,
    })
    .returning()
  return one(inserted)
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
  const updated = await tx
    .update(installs)
    .set({
      processedFiles: plus(installs.processedFiles, counted.length),
      successCount: plus(installs.successCount, counted.length - failedCount),
      failedCount: plus(installs.failedCount, failedCount),
      recordCount: plus(installs.recordCount, recordCount),
    })
    .where(and(eq(installs.id, installId), eq(installs.status, 'IN_PROGRESS')))
    .returning({ id: installs.id })
  if (updated.length === 0)
    throw new InstallClosedError('The installation was closed by another process')
  const rows = files.map(({ kind: _, planned: __, ...row }) => ({ installId, ...row }))
  for (let from = 0; from < rows.length; from += MAX_ROWS_A_STATEMENT)
    await tx.insert(installFiles).values(rows.slice(from, from + MAX_ROWS_A_STATEMENT))
}

const recordsKept = ({ kind, status, records }: FileReport) =>
  kind === 'data' && status !== 'failed' ? records.created + records.updated + records.unchanged : 0

/**
 * Closes an install: planned files without a report fail as `verdict`, the counts are made
 * from the reports, and the status follows from them. Returns false, with nothing done, when it is
 * closed already.
 */
export async function closeInstall(
  tx: Db,
  id: number,
  verdict: Verdict,
  errors: string[],
): Promise<boolean> {
  // The row first: a commit of a file holds it too, so this either sees that file's report or prevents it.
  const [open] = await tx
    .select({ id: installs.id })
    .from(installs)
    .where(and(eq(installs.id, id), eq(installs.status, 'IN_PROGRESS')))
    .for('update')
  if (!open) return false
  const detail = errors[0] ?? 'The installation ended before this file'
  await tx.execute(sql`
    insert into ${installFiles} (install_id, path, target, status, error, details, detail_count, records, duration_ms)
    select i.id, p.path, p.target, 'failed', ${verdict}, ${JSON.stringify([{ message: detail }])}::jsonb, 1,
      '{"created":0,"updated":0,"unchanged":0,"failed":0}', 0
    from ${installs} i, jsonb_to_recordset(i.planned) as p(path text, target text)
    where i.id = ${id}
    on conflict (install_id, path) do nothing`)
  await settleCounts(tx, id, errors)
  return true
}

async function settleCounts(tx: Db, id: number, errors: string[]): Promise<void> {
  const succeeded = tx
    .select({ total: count().as('total') })
    .from(installFiles)
    .where(
      and(
        eq(installFiles.installId, id),
        inArray(installFiles.status, ['created', 'updated', 'unchanged']),
      ),
    )
    .as('succeeded')
  const { total } = succeeded
  const { totalFiles } = installs
  await tx
    .update(installs)
    .set({
      completedAt: now,
      planned: [],
      errors,
      processedFiles: totalFiles,
      successCount: sql`${total}`,
      failedCount: sql`${totalFiles} - ${total}`,
      status: sql`case when ${total} = 0 then 'FAILED' when ${total} = ${totalFiles} then 'SUCCESS' else 'PARTIAL' end`,
    })
    .from(succeeded)
    .where(eq(installs.id, id))
}

/** Ids of installs that are IN_PROGRESS, running or abandoned; of one plugin, or of all. */
export async function openInstalls(db: Db, pluginId?: string): Promise<number[]> {
  const ofPlugin = pluginId === undefined ? undefined : eq(installs.pluginId, pluginId)
  const found = await db
    .select({ id: installs.id })
    .from(installs)
    .where(and(eq(installs.status, 'IN_PROGRESS'), ofPlugin))
  return found.map(({ id }) => id)
}
