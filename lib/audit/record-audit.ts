import type { Actor } from '@/lib/auth/rights'
import { auditLog } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { JsonObject } from '@/lib/values/json'

/** Who did it: a user, a key, the server itself, or a caller who is not signed in. */
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
  await tx.insert(auditLog).values({
    ...entry,
    actorType: actor?.type ?? 'anonymous',
    actorId: actor && 'id' in actor ? actor.id : null,
    actorName: actor && 'name' in actor ? actor.name : null,
    address: actor && 'address' in actor ? actor.address : null,
  })
}
