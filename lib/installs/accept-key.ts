import { type Actor, requireRight, requireSession } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import { requireFactor } from '@/lib/second-factors/confirm-identity'

/** Throws `forbidden` unless an administrator accepts another key, who has confirmed who they are by a second factor. */
export async function requireAcceptance(db: Db, actor: Actor): Promise<void> {
  requireRight(actor, 'security:manage')
  requireSession(actor)
  await requireFactor(db, actor)
}
