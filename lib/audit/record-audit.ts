import type { Actor } from '@/lib/auth/rights'
import { auditLog } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { JsonObject } from '@/lib/json'

export type AuditEntry = {
  /** `records.delete`, `users.create`, … */
  action: string
  objectType: string
  objectId?: string
  /** Before and after, or counts; never secrets. */
  details?: JsonObject
  requestId: string
}

/**
 * Notes who did what, in the transaction of the change itself, so that neither exists without the
 * other. `actor` null: nobody signed in (a reset asked for), or the system.
 */
export async function recordAudit(tx: Db, actor: Actor | null, entry: AuditEntry): Promise<void> {
  await tx.insert(auditLog).values({
    actorType: actor?.type ?? 'anonymous',
    actorId: actor?.id,
    actorName: actor?.name,
    address: actor?.address,
    ...entry,
  })
}
