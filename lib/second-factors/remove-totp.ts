import type { Deps } from '@/lib/deps'
import 'server-only'
import { eq } from 'drizzle-orm'
import { totpFactors } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { afterRemoving, noteChange } from './change-factors'
import { type Caller, requireConfirmed } from './confirm-identity'
import { lockAccount } from './factor-store'

/**
 * Removes the caller's authenticator app. Throws `forbidden` for a session that must confirm first,
 * `not_found`, and `conflict` for the last factor of a user whose role requires one.
 */
export async function removeTotp({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<void> {
  const { userId } = caller.actor
  await requireConfirmed(db, caller.actor)
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const query = tx.delete(totpFactors).where(eq(totpFactors.userId, userId))
    const removed = await query.returning({ userId: totpFactors.userId })
    if (removed.length === 0) throw new AppError('not_found', 'You have no authenticator app')
    await afterRemoving(tx, userId)
    await noteChange(tx, { ...caller, action: 'remove-totp' })
  })
}
