import 'server-only'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import { type InstallRow, installFiles, installs, plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import type { LogsQuery } from './contract'
import type { FileReport } from './file-report'
import { InstallClosedError } from './install-closed-error'
import type { PluginManifest } from './plugin-manifest'

export type NewInstall = Pick<InstallRow, 'id' | 'source' | 'sha256' | 'mode' | 'installedBy'> & {
  manifest: PluginManifest
  planned: InstallRow['planned']
}

/** Opens the history of an install: IN_PROGRESS, with all it is going to do. */
export async function insertInstall(
  db: Db,
  { manifest, planned, ...rest }: NewInstall,
): Promise<void> {
  await db.insert(installs).values({
    ...rest,
    pluginId: manifest.id,
    pluginName: manifest.name,
    version: manifest.version,
    status: 'IN_PROGRESS',
    planned,
    totalFiles: planned.length,
  })
}

/**
 * Notes what became of one file, in the transaction of the file's own effects. Throws
 * `InstallClosedError` when the install is over already: nothing more may be written for it.
 */
export async function insertFileReport(tx: Db, installId: string, file: FileReport): Promise<void> {
  const { kind: _, planned, ...row } = file
  const counts = planned ? file.status !== 'failed' : null
  const updated = await tx
    .update(installs)
    .set({
      processedFiles: sql`${installs.processedFiles} + ${counts === null ? 0 : 1}`,
      successCount: sql`${installs.successCount} + ${counts === true ? 1 : 0}`,
      failedCount: sql`${installs.failedCount} + ${counts === false ? 1 : 0}`,
      recordCount: sql`${installs.recordCount} + ${recordsKept(file)}`,
    })
    .where(and(eq(installs.id, installId), eq(installs.status, 'IN_PROGRESS')))
    .returning({ id: installs.id })
  if (updated.length === 0)
    throw new InstallClosedError('The installation was closed by another process')
  await tx.insert(installFiles).values({ installId, ...row })
}

const recordsKept = ({ kind, status, records }: FileReport) =>
  kind === 'data' && status !== 'failed' ? records.created + records.updated + records.unchanged : 0

/**
 * Closes an install: files that were planned and have no report fail as `verdict`, the counts are made
 * from the reports, and the status follows from them. Does nothing when it is closed already.
 */
export async function closeInstall(
  tx: Db,
  id: string,
  verdict: string,
  errors: string[],
): Promise<void> {
  const detail = errors[0] ?? 'The installation ended before this file'
  await tx.execute(sql`
    insert into engine.install_files (install_id, path, target, status, error, details, detail_count, records, duration_ms)
    select i.id, p.path, p.target, 'failed', ${verdict}, ${JSON.stringify([{ message: detail }])}::jsonb, 1,
      '{"created":0,"updated":0,"unchanged":0,"failed":0}', 0
    from engine.installs i, jsonb_to_recordset(i.planned) as p(path text, target text)
    where i.id = ${id} and i.status = 'IN_PROGRESS'
    on conflict (install_id, path) do nothing`)
  await tx.execute(sql`
    update engine.installs i set
      completed_at = now(), planned = '[]', errors = ${JSON.stringify(errors)}::jsonb,
      processed_files = i.total_files, success_count = n.ok, failed_count = i.total_files - n.ok,
      status = case when n.ok = i.total_files and n.ok > 0 then 'SUCCESS' when n.ok > 0 then 'PARTIAL' else 'FAILED' end
    from (select count(*) filter (where status in ('created', 'updated', 'unchanged'))::int as ok
          from engine.install_files where install_id = ${id}) n
    where i.id = ${id} and i.status = 'IN_PROGRESS'`)
}

/** Ids of installs that say IN_PROGRESS, whoever runs them. */
export const openInstalls = async (db: Db): Promise<string[]> =>
  (
    await db.select({ id: installs.id }).from(installs).where(eq(installs.status, 'IN_PROGRESS'))
  ).map(({ id }) => id)

export async function getInstall(db: Db, id: string): Promise<InstallRow> {
  const [found] = await db.select().from(installs).where(eq(installs.id, id))
  if (!found) throw new AppError('not_found', `There is no installation ${id}`)
  return found
}

/** Reports written after report `afterId`, in the order of processing; at most 200. */
export const filesAfter = (db: Db, installId: string, afterId: number) =>
  db
    .select()
    .from(installFiles)
    .where(and(eq(installFiles.installId, installId), gt(installFiles.id, afterId)))
    .orderBy(asc(installFiles.id))
    .limit(200)

/** A page of an install's reports in the order of processing, and how many match in all. */
export async function listFiles(db: Db, installId: string, { status, page, size }: LogsQuery) {
  const where = and(
    eq(installFiles.installId, installId),
    status ? eq(installFiles.status, status) : undefined,
  )
  const total = await db.$count(installFiles, where)
  const files = await db
    .select()
    .from(installFiles)
    .where(where)
    .orderBy(asc(installFiles.id))
    .limit(size)
    .offset(page * size)
  return { files, total }
}

/** Makes or renews the row of an installed plugin. */
export async function upsertPlugin(
  tx: Db,
  manifest: PluginManifest,
  historyId: string,
): Promise<void> {
  const { id, raw, variables: _, ...rest } = manifest
  const values = { ...rest, manifest: raw, lastHistoryId: historyId }
  await tx
    .insert(plugins)
    .values({ id, ...values })
    .onConflictDoUpdate({ target: plugins.id, set: { ...values, updatedAt: new Date() } })
}

/** Version of the plugin as installed now; undefined when it is not. */
export async function installedVersion(db: Db, id: string): Promise<string | null | undefined> {
  const [found] = await db
    .select({ version: plugins.version })
    .from(plugins)
    .where(eq(plugins.id, id))
  return found?.version
}

/** The plugin and the names of the entities it owns. */
export async function getPlugin(db: Db, id: string) {
  const [found] = await db.select().from(plugins).where(eq(plugins.id, id))
  if (!found) throw new AppError('not_found', `The plugin "${id}" is not installed`)
  const entities = await rows<{ name: string }>(
    db,
    sql`select name from engine.entities where plugin_id = ${id} order by name`,
  )
  return { ...found, persistenceId: id, entities: entities.map(({ name }) => name) }
}
