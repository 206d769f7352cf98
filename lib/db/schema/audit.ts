import { sql } from 'drizzle-orm'
import { bigint, bigserial, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { JsonObject } from '@/lib/values/json'
import { createdAt, engine } from './engine'

/** Who did what to which object. Append-only; written in the transaction of the change itself. */
export const auditLog = engine.table(
  'audit_log',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: createdAt(),
    actorType: text('actor_type', { enum: ['user', 'api_key', 'system', 'anonymous'] }).notNull(),
    actorId: uuid('actor_id'),
    /** Email or key name at the time. */
    actorName: text('actor_name'),
    address: text('address'),
    /** `users.create`, `records.delete`, … */
    action: text('action').notNull(),
    objectType: text('object_type').notNull(),
    objectId: text('object_id'),
    /** Before and after, or counts; never secrets. */
    details: jsonb('details').$type<JsonObject>().notNull().default({}),
    requestId: text('request_id'),
    /** The transaction, where it changed records with a history: `record_versions` has the same number. */
    changeId: bigint('change_id', { mode: 'number' }).default(sql`engine.present_change()`),
  },
  (t) => [
    index('audit_log_at').on(t.at.desc()),
    index('audit_log_object').on(t.objectType, t.objectId),
    index('audit_log_change').on(t.changeId).where(sql`change_id is not null`),
  ],
)
