import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { PluginManifest } from '@/lib/archives/manifests'
import type { Verdict } from '@/lib/archives/plugin-file'
import { recordAudit } from '@/lib/audit/record-audit'
import { hint } from '@/lib/db/bus'
import { type InstallRow, installFiles, installs } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import type { InstallRequest } from './install-request'

export type NewInstall = Pick<
  InstallRow,
  'id' | 'source' | 'sha256' | 'mode' | 'installedBy' | 'signature'
> & {
  manifest: PluginManifest
  planned: InstallRow['planned']
}

/** Records an install in the history and the audit log before it does anything. */
export async function openInstall(
  tx: Db,
  { actor, requestId, source }: InstallRequest,
  history: NewInstall,
): Promise<InstallRow> {
  const { id, version } = history.manifest
  await recordAudit(tx, actor, {
    action: 'plugins.install',
    objectType: 'plugin',
    objectId: id,
    details: { history: history.id, version, source, ...keyDetails(history.signature) },
    requestId,
  })
  return insertInstall(tx, history)
}

/** That another key was accepted is a decision of a person. */
const keyDetails = (signature: InstallRow['signature']): JsonObject =>
  signature?.accepted ? { acceptedKey: signature.keyId ?? 'none' } : {}

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
async function insertInstall(
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

/** Ids of installs that are IN_PROGRESS, running or abandoned; of one plugin, or of all. */
export async function openInstalls(db: Db, pluginId?: string): Promise<number[]> {
  const ofPlugin = pluginId === undefined ? undefined : eq(installs.pluginId, pluginId)
  const found = await db
    .select({ id: installs.id })
    .from(installs)
    .where(and(eq(installs.status, 'IN_PROGRESS'), ofPlugin))
  return found.map(({ id }) => id)
}

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
      // A rollback begins and ends in one transaction, in which `now()` stands still.
      completedAt: sql`clock_timestamp()`,
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

/** Closes an install that `error` ended, with a reason that a user may know. */
export async function closeAfterError(deps: Deps, id: number, error: unknown): Promise<void> {
  const expected = error instanceof AppError
  const message = expected ? error.message : 'The installation ended unexpectedly'
  const reason = messageOf(error).slice(0, 500)
  deps.log[expected ? 'info' : 'error'](
    { installId: id, error: reason },
    'installation ended early',
  )
  // If the database is not available, the sweep closes the install later.
  await deps.db
    .transaction((tx) => closeInstall(tx, id, 'Interrupted', [message]))
    .catch((cause) =>
      deps.log.error(
        { installId: id, error: messageOf(cause).slice(0, 200) },
        'installation left to the sweep',
      ),
    )
  await progressAnnouncer(deps, id)({ now: true })
}

/**
 * Closes an install as cancelled: from then on it can write nothing more, whichever process runs it.
 * False, with nothing done, when it is closed already.
 */
export async function closeCancelled(
  tx: Db,
  { id, mode }: Pick<InstallRow, 'id' | 'mode'>,
  by: string,
): Promise<boolean> {
  const kept = mode === 'atomic' ? 'nothing was installed' : 'files that were installed before stay'
  if (!(await closeInstall(tx, id, 'Cancelled', [`Cancelled by ${by}: ${kept}`]))) return false
  await tx.update(installs).set({ cancelledBy: by }).where(eq(installs.id, id))
  return true
}

/** The shortest time between two notifications of watchers, however fast files are done. */
const MIN_INTERVAL_MS = 250

/** Returns a function that notifies watchers on every instance of progress; `now`: immediately. */
export function progressAnnouncer(deps: Pick<Deps, 'bus' | 'log'>, installId: number) {
  let last = Number.NEGATIVE_INFINITY
  return async ({ now = false } = {}): Promise<void> => {
    if (!now && performance.now() - last < MIN_INTERVAL_MS) return
    last = performance.now()
    await hint(deps, 'engine_installs', String(installId))
  }
}

/** Held for as long as the install runs: a process that finds it free may close the install. */
export const installLock = (id: number) => `install:${id}`

/** Held by the one install of a plugin that is carried out. */
export const pluginLock = (pluginId: string) => `plugin:${pluginId}`
