import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { plugins, type WebhookRow, webhooks } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { type By, entryOf, stated } from './save-webhook'
import { findWebhook } from './store'

/**
 * Deletes a webhook and its log; what is in flight still arrives. Throws `not_found`, and `conflict` for one that its plugin declares: the present
 * version of the plugin, as one that an earlier version declared is left behind.
 */
export const deleteWebhook = ({ db }: Pick<Deps, 'db'>, id: string, by: By): Promise<void> =>
  db.transaction(async (tx) => {
    const before = await findWebhook(tx, id, { lock: true })
    await requireLeftBehind(tx, before)
    await tx.delete(webhooks).where(eq(webhooks.id, id))
    await recordAudit(tx, by.actor, entryOf('delete', before, { before: stated(before) }, by))
  })

async function requireLeftBehind(tx: Db, { name, pluginId }: WebhookRow): Promise<void> {
  if (pluginId === null) return
  const [plugin] = await tx.select().from(plugins).where(eq(plugins.id, pluginId))
  const isDeclared = ({ kind, name: other }: { kind: string; name: string }) =>
    kind === 'webhook' && other === name
  if (!plugin || (plugin.defines && !plugin.defines.some(isDeclared))) return
  throw new AppError(
    'conflict',
    `The webhook "${name}" belongs to the plugin ${pluginId}: pause it, or uninstall the plugin`,
  )
}
