import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type DeliveryRow, webhookDeliveries } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayReadAll, requireReadAll } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import type { DeliveriesQuery, Delivery } from './contract'
import { findWebhook } from './store'

/**
 * A page of the deliveries of a webhook, the last first. Throws `not_found`, `invalid_input` for a key without its entity, and `forbidden`
 * for a key of an entity that `actor` may not read all of: whether it is there would say something of a record.
 */
export async function listDeliveries(
  deps: Deps,
  webhookId: string,
  { page, size, ...filters }: DeliveriesQuery,
  actor: Actor,
): Promise<{ deliveries: Delivery[]; total: number }> {
  await findWebhook(deps.db, webhookId)
  if (filters.key !== undefined) await requireKeys(deps, filters.entity, actor)
  const where = and(eq(webhookDeliveries.webhookId, webhookId), ...matching(filters))
  const found = await deps.db
    .select()
    .from(webhookDeliveries)
    .where(where)
    .orderBy(desc(webhookDeliveries.number))
    .limit(size)
    .offset(page * size)
  const total = await deps.db.$count(webhookDeliveries, where)
  return { deliveries: await shown(deps, found, actor), total }
}

async function requireKeys(deps: Deps, entity: string | undefined, actor: Actor): Promise<void> {
  if (entity !== undefined)
    return requireReadAll(actor, await findEntity(deps, entity), 'Searching for a key')
  const error = 'needs the entity, too'
  throw new AppError('invalid_input', `key: ${error}`, { validations: [{ field: 'key', error }] })
}

type Filters = Partial<Pick<DeliveriesQuery, 'status' | 'entity' | 'key' | 'from' | 'to'>>

/** Conditions on deliveries. */
export function matching({ status, entity, key, from, to }: Filters): SQL[] {
  const d = webhookDeliveries
  return [
    ...(status === undefined ? [] : [eq(d.status, status)]),
    ...(entity === undefined ? [] : [eq(d.entity, entity)]),
    ...(key === undefined ? [] : [eq(d.key, key)]),
    ...(from === undefined ? [] : [gte(d.createdAt, new Date(from))]),
    ...(to === undefined ? [] : [lt(d.createdAt, new Date(to))]),
  ]
}

/** Throws `not_found`. */
export async function findDelivery(
  { db }: Pick<Deps, 'db'>,
  webhookId: string,
  id: string,
): Promise<DeliveryRow> {
  const { id: own, webhookId: of } = webhookDeliveries
  const [found] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(own, id), eq(of, webhookId)))
  if (found) return found
  throw new AppError('not_found', 'There is no delivery with this id at this webhook')
}

/**
 * As `actor` may see them: records, and what a receiver said about them, are shown to those alone who may read all of the entity, whoever the webhook
 * acts for.
 */
export async function shown(
  deps: Deps,
  found: readonly DeliveryRow[],
  actor: Actor,
): Promise<Delivery[]> {
  const open = (await listEntities(deps)).filter((entity) => mayReadAll(actor, entity))
  const names = new Set(open.map(({ name }) => name))
  return found.map((row) => toDelivery(row, row.entity === null || names.has(row.entity)))
}

const toDelivery = (row: DeliveryRow, isOpen: boolean): Delivery => ({
  id: row.id,
  entity: row.entity,
  key: isOpen && row.key !== '' ? row.key : null,
  action: row.action as Delivery['action'],
  status: row.status,
  attempts: row.attempts,
  tries: row.tries,
  error: row.error,
  nextAttemptAt: row.status === 'queued' ? row.nextAttemptAt.toISOString() : null,
  request: isOpen ? row.request : null,
  response: isOpen ? row.response : null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})
