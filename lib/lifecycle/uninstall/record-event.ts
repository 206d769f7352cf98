import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { type INSTALL_KINDS, installFiles, installs } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import { nextInstallId } from '@/lib/installs/history-entries'
import type { JsonObject } from '@/lib/values/json'

type Event = {
  kind: Exclude<(typeof INSTALL_KINDS)[number], 'install' | 'rollback'>
  plugin: { id: string; name: string; version: string | null }
  actor: Actor
  requestId: string
  recordCount: number
  /** What was done, in words. */
  changes: string[]
  details: JsonObject
}

/**
 * Records in the history and the audit log what happened to a plugin without an archive, in the transaction
 * that does it. Returns its number.
 */
export async function recordEvent(tx: Db, event: Event): Promise<number> {
  const { kind, plugin, actor, requestId, recordCount, changes, details } = event
  const id = await nextInstallId(tx)
  await tx.insert(installs).values({
    id,
    kind,
    pluginId: plugin.id,
    pluginName: plugin.name,
    version: plugin.version,
    source: '',
    sha256: '',
    mode: 'atomic',
    status: 'SUCCESS',
    startedAt: now,
    completedAt: sql`clock_timestamp()`,
    installedBy: actor.name,
    totalFiles: 1,
    processedFiles: 1,
    successCount: 1,
    recordCount,
  })
  const records = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  await tx.insert(installFiles).values({
    installId: id,
    path: 'engineplugin.json',
    status: 'updated',
    changes,
    records,
    durationMs: 0,
  })
  await recordAudit(tx, actor, {
    action: `plugins.${kind}`,
    objectType: 'plugin',
    objectId: plugin.id,
    details: { history: id, version: plugin.version, ...details },
    requestId,
  })
  return id
}

/** `1 record`, `2 records`, as changes in the history say it. */
export const recordsIn = (count: number): string => `${count} record${count === 1 ? '' : 's'}`
