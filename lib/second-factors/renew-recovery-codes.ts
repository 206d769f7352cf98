import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { recordChange } from './change-factors'
import { type Caller, requireConfirmed } from './confirm-identity'
import { lockAccount } from './factor-store'
import { replaceRecoveryCodes } from './recovery-codes'

/**
 * Ten new recovery codes; the older ones become invalid. Throws `forbidden` for a session that must
 * confirm first, and `conflict` for a user without a second factor.
 */
export async function renewRecoveryCodes(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
): Promise<string[]> {
  const { userId } = caller.actor
  await requireConfirmed(db, caller.actor)
  return db.transaction(async (tx) => {
    const { hasFactor } = await lockAccount(tx, userId)
    if (!hasFactor)
      throw new AppError('conflict', 'Recovery codes belong to a second factor; add one first')
    await recordChange(tx, { ...caller, action: 'renew-recovery-codes' })
    return replaceRecoveryCodes(tx, userId)
  })
}
