import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { passkeys, sessions, totpFactors, users } from '@/lib/db/schema'
import { plus } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import { listMethods } from './factor-store'
import { dropRecoveryCodes } from './recovery-codes'

/**
 * Removes all second factors of another user and ends their sessions: they sign in by password and,
 * where a role requires it, set up a new factor. Throws `not_found`, and `forbidden` for the
 * caller's own account and for a user who has more rights than the caller.
 */
export const resetSecondFactors = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const query = tx.select({ roles: users.roles }).from(users).where(eq(users.id, userId))
    const [user] = isUuid(userId) ? await query.for('update') : []
    if (!user) throw new AppError('not_found', 'There is no user with this id')
    if (userId === actor.userId)
      throw new AppError('forbidden', 'Remove your own second factors in your profile')
    await requireNoStronger(tx, actor, user.roles)
    const methods = await listMethods(tx, userId)
    await tx.delete(totpFactors).where(eq(totpFactors.userId, userId))
    await tx.delete(passkeys).where(eq(passkeys.userId, userId))
    await dropRecoveryCodes(tx, userId)
    await tx.delete(sessions).where(eq(sessions.userId, userId))
    const sessionVersion = plus(users.sessionVersion, 1)
    await tx.update(users).set({ sessionVersion }).where(eq(users.id, userId))
    await recordAudit(tx, actor, {
      action: 'users.reset-second-factors',
      objectType: 'user',
      objectId: userId,
      details: { removed: methods },
      requestId,
    })
  })
