import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { updateUser } from './store'

/**
 * Ends every session of the user, on every instance, so that copies of the cookie become invalid.
 */
export const signOut = ({ db }: Pick<Deps, 'db'>, actor: Actor, requestId?: string) =>
  db.transaction(async (tx) => {
    await updateUser(tx, actor.userId, {}, { endSessions: true })
    await recordAudit(tx, actor, {
      action: 'users.sign-out',
      objectType: 'user',
      objectId: actor.userId,
      requestId,
    })
  })
