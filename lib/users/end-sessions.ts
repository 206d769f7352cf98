import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { lockUser, updateUser } from './store'

/**
 * Ends all sessions of the user, on every instance. Throws `not_found`, and `forbidden` for a user
 * who has more rights than the caller.
 */
export const endSessions = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, user.roles)
    await updateUser(tx, userId, {}, { endSessions: true })
    await recordAudit(tx, actor, {
      action: 'users.end-sessions',
      objectType: 'user',
      objectId: userId,
      requestId,
    })
  })
