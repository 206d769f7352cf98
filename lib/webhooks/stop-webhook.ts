import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { appUrl } from '@/lib/auth/app-url'
import { type WebhookRow, webhookDeliveries, webhooks } from '@/lib/db/schema'
import type { StopReason } from '@/lib/db/schema/webhook-states'
import { type Db, now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError, type ErrorCode } from '@/lib/errors'
import { announceMail } from '@/lib/mail/mail-worker'
import { putInOutbox } from '@/lib/mail/outbox'
import { renderMail } from '@/lib/mail/render-mail'
import { findUser } from '@/lib/users/store'

type StopDeps = Pick<Deps, 'db' | 'bus' | 'log' | 'settings' | 'secret'>

/** Stops what still runs, with an entry in the audit log and a mail to the person that it acts for. What is queued waits. */
export async function stopWebhook(
  deps: StopDeps,
  { id }: Pick<WebhookRow, 'id'>,
  stopped: StopReason,
): Promise<void> {
  const isStopped = await deps.db.transaction(async (tx) => {
    const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update')
    if (!row || row.stopped) return false
    await tx.update(webhooks).set({ stopped, stoppedAt: now }).where(eq(webhooks.id, id))
    const details = { name: row.name, reason: stopped }
    const entry = { action: 'webhooks.stop', objectType: 'webhook', objectId: id, details }
    await recordAudit(tx, { type: 'system' }, entry)
    await writeMail(tx, deps, row, stopped)
    return true
  })
  if (isStopped) await announceMail(deps)
}

/** What `work` returns; null where it finds that the webhook can go on no longer, and stops it. */
export async function orStopped<T>(
  deps: StopDeps,
  webhook: WebhookRow,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof AppError ? REASONS[error.code] : undefined
    if (!reason) throw error
    await stopWebhook(deps, webhook, reason)
    return null
  }
}

const REASONS: Partial<Record<ErrorCode, StopReason>> = {
  forbidden: 'unauthorised',
  invalid_input: 'invalid',
}

async function writeMail(
  tx: Db,
  { settings, secret }: StopDeps,
  { id, ownerId, name, url }: WebhookRow,
  reason: StopReason,
): Promise<void> {
  const owner = ownerId && (await findUser(tx, ownerId))
  if (!owner || url === null) return
  const template = 'webhook-stopped'
  const link = `${appUrl(settings)}/webhooks/${id}`
  const { host } = new URL(url)
  const { email } = owner
  const props = { email, name, host, reason, link }
  const rendered = renderMail({ template, props }, settings)
  const mail = { from: settings.MAIL_FROM, to: email, ...rendered }
  await putInOutbox(tx, secret, { template, userId: owner.id, mail })
}

/** Sends again what waits, at once, and reads on where it was. */
export async function resume(tx: Db, id: string): Promise<void> {
  const fresh = { stopped: null, stoppedAt: null, failures: 0, failingSince: null, holdUntil: null }
  await tx.update(webhooks).set(fresh).where(eq(webhooks.id, id))
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: now })
    .where(sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.status} = 'queued'`)
}
