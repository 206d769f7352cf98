import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  type DeliveryRow,
  type DeliveryTry,
  type WebhookRow,
  webhookDeliveries,
  webhooks,
} from '@/lib/db/schema'
import { type Db, now, rows, textArray } from '@/lib/db/sql'
import type { Outcome } from './outcome'

/** Longer than an attempt takes. */
const CLAIM_SECONDS = 60
const MAX_TRIES = 20
const MAX_REQUEST_CHARACTERS = 64 * 1024

export type Claim = Pick<
  DeliveryRow,
  'id' | 'webhookId' | 'entity' | 'xid' | 'eventId' | 'key' | 'action' | 'attempts' | 'createdAt'
> & {
  /** Attempts, this one included, without those whose worker died. */
  tried: number
}

/** After so many failures in a row one request at a time finds out whether the receiver is back. */
export const FAILING_AFTER = 10

/** Found at a time: finding them looks through all that waits. */
const DUE_AT_ONCE = 32

/** `slots` in all, of which `taken` are. */
export type Room = { slots: number; taken?: number }

/** None of a webhook that does not run; one in all of a receiver that fails. */
const freeSlots = (webhookId: string, { slots, taken = 0 }: Room) => sql`coalesce((
  select greatest(0, case when w.failures < ${FAILING_AFTER}::int then ${slots}::int else 1 end - ${taken}::int) from ${webhooks} as w
  where w.id = ${webhookId} and w.stopped is null and coalesce(w.hold_until, now()) <= now()), 0)`

/** What is due of a webhook that has a free slot: the first of each record, in order, no more than some. */
export async function dueDeliveries(db: Db, webhookId: string, room: Room): Promise<string[]> {
  const first = firstOfRecords(sql`d.webhook_id = ${webhookId}`)
  const found = await rows<{ id: string }>(
    db,
    sql`select d.id from (${first}) as d where ${freeSlots(webhookId, room)} > 0 and ${isDue} order by d.number limit ${DUE_AT_ONCE}::int`,
  )
  return found.map(({ id }) => id)
}

/**
 * Claims deliveries among `ids`, where they are due, those of dead workers included: no other worker gets them before the claim ends. None while
 * an earlier change of the same record is still to be delivered. `attempts` counts this attempt and names the claim.
 */
export async function claimDeliveries(
  db: Db,
  webhookId: string,
  ids: readonly string[],
  room: Room,
): Promise<Claim[]> {
  const d = webhookDeliveries
  const claimed = await rows<Claim & { createdAt: string }>(
    db,
    sql`with due as materialized (
        select d.id from ${d} as d
        where d.id = any(${textArray(ids)}::uuid[]) and ${isDue} and (d.entity is null or d.id = (
          select first.id from ${d} as first
          where first.webhook_id = ${webhookId} and first.entity = d.entity and first.key = d.key and first.status in ('queued', 'sending')
          order by first.number limit 1))
        order by d.number limit ${freeSlots(webhookId, room)}
        for update of d skip locked
      )
      update ${d} as d set status = 'sending', attempts = d.attempts + 1, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
      from due where d.id = due.id
      returning d.id, d.webhook_id as "webhookId", d.entity, d.xid::text, d.event_id::float8 as "eventId", d.key, d.action, d.attempts,
        least(d.attempts, jsonb_array_length(d.tries) + 1) as tried, to_json(d.created_at)#>>'{}' as "createdAt"`,
  )
  return claimed.map((claim) => ({ ...claim, createdAt: new Date(claim.createdAt) }))
}

/** What waits of each record first: in the order of the index, as asking each for an earlier one takes seconds where thousands wait. */
const firstOfRecords = (which: SQL) => sql`
  select distinct on (d.webhook_id, d.entity, d.key) d.id, d.webhook_id, d.number, d.status, d.next_attempt_at, d.claimed_until
  from ${webhookDeliveries} as d where ${which} and d.status in ('queued', 'sending')
  order by d.webhook_id, d.entity, d.key, d.number`

const isDue = sql`(d.status = 'queued' and d.next_attempt_at <= now() or d.status = 'sending' and d.claimed_until <= now())`

/** Those that run and have something due. */
export async function dueWebhooks(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select w.id from ${webhooks} as w
      where w.stopped is null and coalesce(w.hold_until, now()) <= now()
        and exists (select from ${webhookDeliveries} as d where d.webhook_id = w.id and ${isDue})
      order by w.id`,
  )
  return found.map(({ id }) => id)
}

/**
 * Milliseconds until a delivery of a webhook that runs may be due; null when none waits. Those that wait for an earlier one are passed
 * over, and webhooks that are `busy`.
 */
export async function nextDueInMs(db: Db, busy: readonly string[]): Promise<number | null> {
  const due = sql`greatest(coalesce(first.claimed_until, first.next_attempt_at), w.hold_until)`
  const isFree = sql`w.stopped is null and w.id::text <> all(${textArray(busy)})`
  const [next] = await rows<{ ms: number | null }>(
    db,
    sql`select (greatest(0, extract(epoch from min(${due}) - now()) * 1000))::float8 as ms
      from ${webhooks} as w cross join lateral (${firstOfRecords(sql`d.webhook_id = w.id`)}) as first
      where ${isFree}`,
  )
  return next?.ms ?? null
}

export type Attempt = {
  outcome: Outcome
  /** As sent, null where nothing was. */
  request: string | null
  response: { status: number; body: string } | null
  at: Date
  ms: number
}

/** Ends a claim. Does nothing when another worker has claimed the delivery meanwhile; returns whether it was ended. */
export async function settle(
  db: Db,
  { id, attempts }: Pick<Claim, 'id' | 'attempts'>,
  { outcome, request, response, at, ms }: Attempt,
): Promise<boolean> {
  const error = outcome.status === 'delivered' ? null : outcome.error
  const status = response?.status ?? null
  const made: DeliveryTry = { at: at.toISOString(), status, error, ms: Math.round(ms) }
  const d = webhookDeliveries
  const ended = await db
    .update(d)
    .set({
      status: outcome.status,
      claimedUntil: null,
      error,
      response: response?.body ?? null,
      ...(request === null ? {} : { request: request.slice(0, MAX_REQUEST_CHARACTERS) }),
      tries: sql`(select coalesce(jsonb_agg(x.value order by x.n), '[]') from jsonb_array_elements(${d.tries} || ${JSON.stringify([made])}::jsonb)
        with ordinality as x(value, n) where x.n > jsonb_array_length(${d.tries}) + 1 - ${MAX_TRIES}::int)`,
      ...(outcome.status === 'queued'
        ? { nextAttemptAt: later(outcome.waitMs) }
        : { endedAt: now }),
    })
    .where(and(eq(d.id, id), eq(d.status, 'sending'), eq(d.attempts, attempts)))
    .returning({ id: d.id })
  return ended.length > 0
}

/** Puts a claim back that was not tried. */
export const release = (db: Db, { id, attempts }: Pick<Claim, 'id' | 'attempts'>) =>
  db
    .update(webhookDeliveries)
    .set({ status: 'queued', claimedUntil: null, attempts: attempts - 1 })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, attempts)))

/** Records at the webhook how an attempt went; returns it after that, null once it was deleted. */
export async function recordHealth(
  db: Db,
  webhookId: string,
  outcome: Outcome,
): Promise<WebhookRow | null> {
  const { id, failures, failingSince, holdUntil } = webhooks
  if (outcome.status === 'withheld') return null
  const isSound = outcome.status === 'delivered'
  const holdMs = outcome.status === 'queued' ? outcome.holdMs : 0
  const [row] = await db
    .update(webhooks)
    .set(
      isSound
        ? { failures: 0, failingSince: null }
        : {
            failures: sql`${failures} + 1`,
            failingSince: sql`coalesce(${failingSince}, now())`,
            ...(holdMs > 0 ? { holdUntil: sql`greatest(${holdUntil}, ${later(holdMs)})` } : {}),
          },
    )
    // Most attempts succeed, after others that did.
    .where(and(eq(id, webhookId), isSound ? sql`${failures} > 0` : undefined))
    .returning()
  return row ?? null
}

const later = (ms: number): SQL => sql`now() + make_interval(secs => ${ms / 1000})`
