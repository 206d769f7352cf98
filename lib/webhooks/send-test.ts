import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { webhookDeliveries } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { Delivery } from './contract'
import { deliver } from './deliver'
import { findDelivery, shown } from './list-deliveries'
import { entryOf } from './save-webhook'
import { findWebhook, requireAddress } from './store'

/** Sends a message of no record, once, also while the webhook is stopped; returns what came of it. Throws `not_found`, and `conflict` without an address. */
export async function sendTest(
  deps: Deps,
  id: string,
  by: { actor: Actor; requestId: string },
): Promise<Delivery> {
  const webhook = await findWebhook(deps.db, id)
  requireAddress(webhook)
  const claim = await deps.db.transaction(async (tx) => {
    const claimedUntil = sql`now() + interval '1 hour'`
    const values = { webhookId: id, key: '', action: 'test', status: 'sending' as const }
    const query = tx.insert(webhookDeliveries).values({ ...values, attempts: 1, claimedUntil })
    await recordAudit(tx, by.actor, entryOf('test', webhook, {}, by))
    return one(await query.returning())
  })
  await deliver(deps, { ...claim, tried: 1 })
  return one(await shown(deps, [await findDelivery(deps, id, claim.id)], by.actor))
}
