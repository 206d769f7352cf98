import { recordAudit } from '@/lib/audit/record-audit'
import { forgetAttempts } from '@/lib/auth/rate-limit'
import type { Deps } from '@/lib/deps'
import { voidLink } from './activate-account'
import type { User } from './contract'
import { hashLinkToken } from './letter'
import { countersOfOwner } from './sign-in-limits'
import { dropTokens, isLiveToken, lockUser, takeToken, toUser, updateUser } from './store'

type Input = { token: string; password: string }
type Visitor = { address: string | null; requestId: string }

/**
 * Sets the password of a link's account, once, and activates the account if it waited for a
 * password. Ends its sessions and deletes its other links. Throws `invalid_input` for an invalid
 * link.
 */
export async function resetPassword(
  { db, hashPassword }: Pick<Deps, 'db' | 'hashPassword'>,
  { token, password }: Input,
  { address, requestId }: Visitor,
): Promise<User> {
  const tokenHash = hashLinkToken(token)
  if (!(await isLiveToken(db, 'reset', tokenHash))) throw voidLink() // before the costly hash
  const passwordHash = await hashPassword(password)
  const user = await db.transaction(async (tx) => {
    const userId = await takeToken(tx, 'reset', tokenHash)
    const before = userId ? await lockUser(tx, userId) : null
    if (before?.status !== 'ACTIVATED' && before?.status !== 'REQUIRED_RESET_PASSWORD')
      throw voidLink()
    await dropTokens(tx, before.id)
    await recordAudit(
      tx,
      { type: 'anonymous', address },
      {
        action: 'users.reset-password',
        objectType: 'user',
        objectId: before.id,
        details: { before: { status: before.status }, after: { status: 'ACTIVATED' } },
        requestId,
      },
    )
    const activatedAt = before.activatedAt ?? new Date()
    const changes = { passwordHash, mustChangePassword: false, activatedAt }
    return updateUser(tx, before.id, { ...changes, status: 'ACTIVATED' }, { endSessions: true })
  })
  for (const counter of countersOfOwner(user.email, address)) await forgetAttempts(db, counter)
  return toUser(user)
}
