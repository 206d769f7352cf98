import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { SessionActor } from '@/lib/auth/rights'
import { endSession } from '@/lib/auth/session-store'

/**
 * Ends the session of this browser, on every instance, so that copies of the cookie become invalid.
 */
export const signOut = ({ db }: Pick<Deps, 'db'>, actor: SessionActor, requestId?: string) =>
  db.transaction(async (tx) => {
    await endSession(tx, actor.userId, actor.sessionId)
    await recordAudit(tx, actor, {
      action: 'users.sign-out',
      objectType: 'user',
      objectId: actor.userId,
      requestId,
    })
  })
