import { createHash } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type WebhookRow, webhookDeliveries, webhooks } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { cursorOf, positionOf } from '@/lib/events/position'
import { readLog } from '@/lib/events/read-log'
import { findAmongAll } from '@/lib/registry/registry'
import { actorOf } from './acts-for'
import { matchingChanges } from './matching-changes'
import { placeOfNow } from './positions'
import { orStopped } from './stop-webhook'

/** More stay in the log of changes, until some of these are delivered. */
const MAX_WAITING = 10_000
const CHANGES_AT_ONCE = 500
/** A place is written at least so often where nothing happens, so that it does not expire. */
const KEEP_PLACE_MS = 10 * 60_000

/**
 * Queues what a webhook is to send of the changes since it was read last, and keeps the place in the same transaction: each change is queued
 * once, whichever instances read. `found`: some changes, `isCut`: there may be more at once, `isTaken`: another instance was faster.
 */
export async function queueChanges(deps: Deps, webhook: WebhookRow): Promise<Queued> {
  const queued = { ...NONE }
  for (const entity of webhook.entities) {
    const since = webhook.positions[entity]
    if (since === undefined) await beginAt(deps, webhook, entity)
    if (since === undefined || !(await hasRoom(deps, webhook))) continue
    const { found, isCut, isTaken } = await queueOf(deps, webhook, entity, since)
    queued.found ||= found
    queued.isCut ||= isCut
    queued.isTaken ||= isTaken
  }
  return queued
}

export type Queued = { found: boolean; isCut: boolean; isTaken: boolean }
const NONE: Queued = { found: false, isCut: false, isTaken: false }

/** Of an entity that a rollback of its plugin gave back to it, what happens from now on is sent. */
async function beginAt(deps: Deps, { id }: WebhookRow, entity: string): Promise<void> {
  const place = await placeOfNow(deps, entity).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  if (place === null) return
  const begun = JSON.stringify({ [entity]: place })
  const positions = sql`${begun}::jsonb || ${webhooks.positions}`
  await deps.db.update(webhooks).set({ positions }).where(eq(webhooks.id, id))
}

const hasRoom = async ({ db }: Pick<Deps, 'db'>, { id }: WebhookRow) => {
  const { webhookId, status } = webhookDeliveries
  const isWaiting = and(eq(webhookId, id), inArray(status, ['queued', 'sending']))
  return (await db.$count(webhookDeliveries, isWaiting)) < MAX_WAITING
}

async function queueOf(
  deps: Deps,
  webhook: WebhookRow,
  name: string,
  since: string,
): Promise<Queued> {
  const found = await readAfter(deps, webhook, name, since)
  if (!found) return NONE
  const { events, next, isCut, gap } = found
  const age = Date.now() - webhook.positionsAt.getTime()
  if (events.length === 0 && age < KEEP_PLACE_MS && !gap) return NONE
  const queued = await orStopped(deps, webhook, async () => {
    const actor = await actorOf(deps.db, webhook)
    return matchingChanges(deps, actor, { ...webhook, entity: name, log: next.log }, events)
  })
  if (!queued) return NONE
  const rows = queued.map(({ event, change }) => ({
    webhookId: webhook.id,
    entity: name,
    xid: event.xid,
    eventId: Number(event.id),
    key: shortened(event.key),
    action: String(change.action),
  }))
  const isKept = await deps.db.transaction(async (tx) => {
    const place = { from: since, to: cursorOf(next), hasMissed: gap === 'begin' }
    if (!(await keepPlace(tx, webhook, name, place))) return false
    if (rows.length > 0) await tx.insert(webhookDeliveries).values(rows)
    return true
  })
  return { found: events.length > 0, isCut, isTaken: !isKept }
}

/** Of what an index holds; the place of the change has the whole key. */
const MAX_KEY_BYTES = 1_000

const shortened = (key: string): string =>
  Buffer.byteLength(key) <= MAX_KEY_BYTES
    ? key
    : `${key.slice(0, 100)}… ${createHash('sha256').update(key).digest('base64url')}`

/** False where another instance has read it meanwhile, or the webhook was stopped or changed. */
async function keepPlace(
  tx: Db,
  { id }: WebhookRow,
  entity: string,
  { from, to, hasMissed }: { from: string; to: string; hasMissed: boolean },
): Promise<boolean> {
  const { positions, stopped } = webhooks
  const kept = await tx
    .update(webhooks)
    .set({
      positions: sql`${positions} || jsonb_build_object(${entity}::text, ${to}::text)`,
      positionsAt: now,
      ...(hasMissed ? { missedAt: now } : {}),
    })
    .where(
      and(eq(webhooks.id, id), sql`${stopped} is null and ${positions} ->> ${entity} = ${from}`),
    )
    .returning({ id: webhooks.id })
  return kept.length > 0
}

/** Null where the entity is away. A place that is no longer kept is given up for this moment, which the webhook says. */
async function readAfter(deps: Deps, { id, many }: WebhookRow, name: string, since: string) {
  try {
    const { entity } = await findAmongAll(deps, name)
    const reading = { tables: [entity.table], since: positionOf(since), limit: CHANGES_AT_ONCE }
    return await readLog(deps.db, { ...reading, records: many === 'records' })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return null
    if (error.code !== 'expired') throw error
    const place = JSON.stringify({ [name]: await placeOfNow(deps, name) })
    const positions = sql`${webhooks.positions} || ${place}::jsonb`
    await deps.db.update(webhooks).set({ positions, missedAt: now }).where(eq(webhooks.id, id))
    return null
  }
}
