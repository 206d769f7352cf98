import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { auditLog } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { JsonObject } from '@/lib/values/json'

/** Who did it: a user, a key, a guest, the server itself, or a caller who is not signed in. */
export type AuditActor = Actor | { type: 'system' } | { type: 'anonymous'; address: string | null }

export type AuditEntry = {
  /** `records.delete`, `users.create`, … */
  action: string
  objectType: string
  objectId?: string
  /** Before and after, or counts; never secrets. */
  details?: JsonObject
  requestId?: string
}

/**
 * Records who did what, in the transaction of the change itself, so that neither exists without the
 * other. `actor` null: a caller who is not signed in, at an unknown address.
 */
export async function recordAudit(
  tx: Db,
  actor: AuditActor | null,
  entry: AuditEntry,
): Promise<void> {
  await tx.insert(auditLog).values({ ...entry, ...actorColumns(actor) })
}

const actorColumns = (actor: AuditActor | null) => ({
  actorType: actor?.type ?? 'anonymous',
  actorId: actor && 'id' in actor && actor.type !== 'anonymous' ? actor.id : null,
  actorName: actor && 'name' in actor ? actor.name : null,
  address: actor && 'address' in actor ? actor.address : null,
})

type Added = { objectId?: SQL; requestId?: SQL; details?: SQL }

/**
 * The same as a part of another statement: an entry for each row of `from`, when `entry` is the text
 * that `auditJson` makes. `objectId` and `requestId`, expressions over `from`, are used where the entry names none;
 * `details` are added to those of the entry.
 */
export const insertAudit = (
  entry: SQLWrapper,
  from: SQL,
  { objectId = sql`null`, requestId = sql`null`, details }: Added = {},
): SQL =>
  sql`insert into ${auditLog}
      (actor_type, actor_id, actor_name, address, action, object_type, object_id, details, request_id)
    select a."actorType", a."actorId", a."actorName", a.address, a.action, a."objectType",
      coalesce(a."objectId", ${objectId}), coalesce(a.details, '{}'::jsonb)${details ? sql` || ${details}` : sql``},
      coalesce(a."requestId", ${requestId})
    from json_to_record(${entry}::text::json) as a("actorType" text, "actorId" uuid, "actorName" text,
      address text, action text, "objectType" text, "objectId" text, details jsonb, "requestId" text), ${from}`

export const auditJson = (actor: AuditActor | null, entry: AuditEntry): string =>
  JSON.stringify({ ...entry, ...actorColumns(actor) })
