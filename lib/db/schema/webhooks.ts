import { sql } from 'drizzle-orm'
import {
  bigserial,
  check,
  index,
  integer,
  jsonb,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Authored } from '@/lib/definitions/authored'
import type { WebhookDefinition } from '@/lib/definitions/webhook'
import type { Json } from '@/lib/values/json'
import { bigId, createdAt, engine, instant, xid8 } from './engine'
import { apiKeys, users } from './users'
import { DELIVERY_STATUSES, STOP_REASONS } from './webhook-states'

/** Addresses to which changes of records are sent. */
export const webhooks = engine.table(
  'webhooks',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    /** Null: one that a plugin declares waits for an address, and sends nothing. */
    url: text('url'),
    /** Null for one that was made here. */
    pluginId: text('plugin_id'),
    /** As the plugin declares it; the columns up to `format` follow from it. */
    definition: jsonb('definition').$type<WebhookDefinition>(),
    authored: jsonb('authored').$type<Authored>(),
    entities: text('entities').array().notNull(),
    actions: text('actions').array().notNull(),
    /** Conditions of a search, which the record meets afterwards, or before. */
    where: jsonb('where').$type<Json[]>(),
    /** Null: all. */
    fields: text('fields').array(),
    many: text('many', { enum: ['count', 'records'] }).notNull(),
    format: text('format', { enum: ['engine', 'cloudevents'] }).notNull(),
    /** Encrypted, both; the former one signs too until `formerUntil`. Null: there is no address either. */
    secret: text('secret'),
    formerSecret: text('former_secret'),
    formerUntil: instant('former_until'),
    /** With whose rights it reads: a person's, or those of a key with scopes or roles of its own. One is null, both once it was deleted. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    keyId: uuid('key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    /** Email or key name at the time. */
    savedBy: text('saved_by').notNull(),
    /** Why nothing is sent; null while it is. */
    stopped: text('stopped', { enum: STOP_REASONS }),
    stoppedAt: instant('stopped_at'),
    /** Attempts that failed since the last that did not. */
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    /** Nothing is sent before, as the receiver asked. */
    holdUntil: instant('hold_until'),
    /** Entity → cursor of the log of changes: everything before it is queued. */
    positions: jsonb('positions').$type<Record<string, string>>().notNull().default({}),
    positionsAt: instant('positions_at').notNull().defaultNow(),
    /** When it was found that changes were no longer kept which had not been read. */
    missedAt: instant('missed_at'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('webhooks_name').on(sql`lower(${t.name})`),
    index('webhooks_owner').on(t.ownerId),
    index('webhooks_key').on(t.keyId),
    check('webhooks_address', sql`(${t.url} is null) = (${t.secret} is null)`),
    check('webhooks_declared', sql`(${t.pluginId} is null) = (${t.definition} is null)`),
    check('webhooks_waiting', sql`${t.url} is not null or ${t.pluginId} is not null`),
  ],
)
export type WebhookRow = typeof webhooks.$inferSelect

/** What one attempt came to. */
export type DeliveryTry = { at: string; status: number | null; error: string | null; ms: number }

/** A change that is, or was, to be sent to one webhook. What it says is read from the log of changes each time. */
export const webhookDeliveries = engine.table(
  'webhook_deliveries',
  {
    /** Also the `webhook-id` of every attempt. */
    id: uuid('id').primaryKey().defaultRandom(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The order of the changes of a webhook. */
    number: bigserial('number', { mode: 'number' }).notNull(),
    /** Null, as the place: a test. */
    entity: text('entity'),
    xid: xid8('xid'),
    eventId: bigId('event_id'),
    /** The `persistenceId`; empty for `many` and tests. */
    key: text('key').notNull(),
    action: text('action').notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull().default('queued'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** While sending: the end of the worker's claim. */
    claimedUntil: instant('claimed_until'),
    /** The last ones. */
    tries: jsonb('tries').$type<DeliveryTry[]>().notNull().default([]),
    /** The body as it was last sent, and the beginning of what came back. */
    request: text('request'),
    response: text('response'),
    error: text('error'),
    createdAt: createdAt(),
    /** When it was delivered, or given up. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('webhook_deliveries_number').on(t.webhookId, t.number.desc()),
    index('webhook_deliveries_open')
      .on(t.webhookId, t.entity, t.key, t.number)
      .where(sql`status in ('queued', 'sending')`),
    index('webhook_deliveries_created').on(t.createdAt),
  ],
)
export type DeliveryRow = typeof webhookDeliveries.$inferSelect
