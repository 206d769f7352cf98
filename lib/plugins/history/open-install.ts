import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { one, rows } from '@/lib/db/rows'
import { type InstallRow, installs } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { PluginManifest } from '@/lib/plugins/archive/plugin-manifest'
import type { InstallRequest } from '@/lib/plugins/install-request'

export type NewInstall = Pick<InstallRow, 'id' | 'source' | 'sha256' | 'mode' | 'installedBy'> & {
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
    details: { history: history.id, version, source },
    requestId,
  })
  return insertInstall(tx, history)
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
