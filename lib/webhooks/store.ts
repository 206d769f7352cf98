import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { type WebhookRow, webhookDeliveries, webhooks } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { Json } from '@/lib/values/json'
import type { ACTIONS, Webhook } from './contract'

/** Throws `not_found`. */
export async function findWebhook(
  db: Db,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<WebhookRow> {
  const query = db.select().from(webhooks).where(eq(webhooks.id, id))
  const [found] = await (lock ? query.for('update') : query)
  if (found) return found
  throw new AppError('not_found', 'There is no webhook with this id')
}

/** Whether a webhook is as it was read, and still runs. */
export async function isUnchanged(
  db: Db,
  { id, updatedAt }: Pick<WebhookRow, 'id' | 'updatedAt'>,
): Promise<boolean> {
  const isRunning = and(eq(webhooks.id, id), isNull(webhooks.stopped))
  const [now] = await db.select({ at: webhooks.updatedAt }).from(webhooks).where(isRunning)
  return now?.at.getTime() === updatedAt.getTime()
}

/** Throws `conflict` for one that waits for its address. */
export function requireAddress({ name, url }: WebhookRow): void {
  if (url === null)
    throw new AppError('conflict', `The webhook "${name}" has no address yet; fill it in first`)
}

/** Those that send. */
export const runningWebhooks = (db: Db): Promise<WebhookRow[]> =>
  db
    .select()
    .from(webhooks)
    .where(and(isNull(webhooks.stopped), isNotNull(webhooks.url)))
    .orderBy(asc(webhooks.id))

const countOf = (statuses: SQL): SQL<number> =>
  sql`(select count(*)::int from ${webhookDeliveries} as d where d.webhook_id = ${webhooks}.id and d.status in (${statuses}))`

/** A page by name, or one webhook. */
export async function selectWebhooks(
  db: Db,
  { page = 0, size = 1, id }: { page?: number; size?: number; id?: string },
): Promise<Webhook[]> {
  const found = await db
    .select({
      row: webhooks,
      waiting: countOf(sql`'queued', 'sending'`),
      failed: countOf(sql`'failed'`),
    })
    .from(webhooks)
    .where(and(id === undefined ? undefined : eq(webhooks.id, id)))
    .orderBy(asc(lower(webhooks.name)))
    .limit(size)
    .offset(page * size)
  return found.map(({ row, ...counts }) => toWebhook(row, counts))
}

type Counts = Pick<Webhook, 'waiting' | 'failed'>

export const toWebhook = (
  row: WebhookRow,
  counts: Counts = { waiting: 0, failed: 0 },
): Webhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  pluginId: row.pluginId,
  entities: row.entities,
  actions: row.actions as (typeof ACTIONS)[number][],
  where: row.where as Json[] | null,
  fields: row.fields,
  many: row.many,
  format: row.format,
  enabled: row.stopped === null,
  stopped: row.stopped,
  stoppedAt: textOf(row.stoppedAt),
  failures: row.failures,
  failingSince: textOf(row.failingSince),
  missedAt: textOf(row.missedAt),
  savedBy: row.savedBy,
  ...counts,
  formerSecretUntil:
    row.formerUntil && row.formerUntil.getTime() > Date.now() ? textOf(row.formerUntil) : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const textOf = (time: Date | null) => time?.toISOString() ?? null
