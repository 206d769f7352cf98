import { and, asc, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { webhookDeliveries } from '@/lib/db/schema'
import { type Db, now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Delivery, Redeliver } from './contract'
import { findDelivery, matching, shown } from './list-deliveries'
import { announceWebhooks, entryOf } from './save-webhook'
import { findWebhook } from './store'

/** More are sent by another request. */
const MAX_AT_ONCE = 10_000

type By = { actor: Actor; requestId: string }

/**
 * Sends a delivery again, with the same `webhook-id` and what may be seen of the change now. Throws `not_found`, and `conflict` for one that is on
 * its way, and for a test.
 */
export async function redeliverOne(
  deps: Deps,
  { id, deliveryId }: { id: string; deliveryId: string },
  by: By,
): Promise<Delivery> {
  const webhook = await findWebhook(deps.db, id)
  const before = await findDelivery(deps, id, deliveryId)
  if (before.entity === null) throw new AppError('conflict', 'Send another test instead')
  await deps.db.transaction(async (tx) => {
    const isIt = eq(webhookDeliveries.id, deliveryId)
    if ((await requeue(tx, and(isIt, inArray(webhookDeliveries.status, AGAIN)))) === 0)
      throw new AppError('conflict', 'The delivery is on its way now; look again in a moment')
    await recordAudit(tx, by.actor, entryOf('redeliver', webhook, { delivery: deliveryId }, by))
  })
  await announceWebhooks(deps)
  return one(await shown(deps, [await findDelivery(deps, id, deliveryId)], by.actor))
}

const AGAIN = ['queued', 'delivered', 'failed', 'withheld'] as const

/**
 * Sends again, in their order, those that failed, or those of a time, at most 10,000. Returns how many. Throws `not_found`.
 */
export async function redeliverMany(
  deps: Deps,
  id: string,
  { status, from, to }: Redeliver,
  by: By,
): Promise<number> {
  const webhook = await findWebhook(deps.db, id)
  const isAnyTime = from === undefined && to === undefined
  const only = status ?? (isAnyTime ? 'failed' : undefined)
  const { webhookId, status: state, entity, number } = webhookDeliveries
  const sent = await deps.db.transaction(async (tx) => {
    const ended = inArray(state, only ? [only] : ['delivered', 'failed', 'withheld'])
    const chosen = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(eq(webhookId, id), ended, isNotNull(entity), ...matching({ from, to })))
      .orderBy(asc(number))
      .limit(MAX_AT_ONCE)
    const count = await requeue(tx, inArray(webhookDeliveries.id, chosen))
    const details = { status: only ?? null, from: from ?? null, to: to ?? null, count }
    await recordAudit(tx, by.actor, entryOf('redeliver', webhook, details, by))
    return count
  })
  await announceWebhooks(deps)
  return sent
}

/** Makes deliveries due now, as if they were new. */
async function requeue(tx: Db, where: SQL | undefined): Promise<number> {
  const fresh = { status: 'queued', attempts: 0, nextAttemptAt: now, endedAt: null } as const
  const set = tx.update(webhookDeliveries).set(fresh).where(where)
  return (await set.returning({ id: webhookDeliveries.id })).length
}
