import { recordAudit } from '@/lib/audit/record-audit'
import { verifyPassword } from '@/lib/auth/password'
import { countAttempt, forgetAttempts, PASSWORD_CHANGE } from '@/lib/auth/rate-limit'
import type { AccountActor } from '@/lib/auth/rights'
import { isStrong, startSession } from '@/lib/auth/session-store'
import type { StartedSession } from '@/lib/auth/session-token'
import type { UserRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { dropTokens, findUser, lockUser, updateUser } from './store'

type Input = { currentPassword: string; newPassword: string }
type Caller = { actor: AccountActor; requestId: string; userAgent: string | null }

/**
 * Changes the caller's own password, ends all their sessions and begins another one, whose cookie
 * the caller needs.
 * Throws `forbidden` for API keys, `invalid_input` for a wrong current password and for a new one
 * that is the same, `conflict` when the account was changed meanwhile, and `rate_limited` after ten wrong ones.
 * These do not count at sign-in.
 */
export async function changePassword(
  { db, hashPassword }: Pick<Deps, 'db' | 'hashPassword'>,
  { currentPassword, newPassword }: Input,
  { actor, requestId, userAgent }: Caller,
): Promise<{ user: UserRow; session: StartedSession }> {
  if (actor.sessionId === undefined)
    throw new AppError('forbidden', 'An API key cannot change a password; sign in to do that')
  const user = await findUser(db, actor.userId)
  if (!user) throw new AppError('not_found', 'This account no longer exists')
  await countAttempt(db, PASSWORD_CHANGE, user.id)
  if (!user.passwordHash || !(await verifyPassword(user.passwordHash, currentPassword))) {
    await recordGuess(db, user.id, { actor, requestId })
    throw fault('currentPassword', 'This is not your current password')
  }
  await forgetAttempts(db, { limit: PASSWORD_CHANGE, subject: user.id })
  if (await verifyPassword(user.passwordHash, newPassword))
    throw fault('newPassword', 'Choose another password than the current one')
  const passwordHash = await hashPassword(newPassword)
  return db.transaction(async (tx) => {
    requireUnchanged(user, await lockUser(tx, user.id))
    const strong = await isStrong(tx, actor.sessionId)
    await dropTokens(tx, user.id)
    await recordAudit(tx, actor, {
      action: 'users.change-password',
      objectType: 'user',
      objectId: user.id,
      requestId,
    })
    const changes = { passwordHash, mustChangePassword: false }
    const changed = await updateUser(tx, user.id, changes, { endSessions: true })
    const { address } = actor
    const session = await startSession(tx, { user: changed, strong, userAgent, address })
    return { user: changed, session }
  })
}

/**
 * Throws `conflict` when another change came first, such as a new password by a link, which ended the session that
 * asks: the password that was checked is no longer the account's.
 */
function requireUnchanged(checked: UserRow, now: UserRow): void {
  const isUnchanged = (['passwordHash', 'sessionVersion', 'status'] as const).every(
    (column) => checked[column] === now[column],
  )
  if (!isUnchanged)
    throw new AppError('conflict', 'The account was changed meanwhile; sign in again and try again')
}

// With an open or stolen session, an attacker can guess passwords here.
const recordGuess = (
  db: Deps['db'],
  objectId: string,
  { actor, requestId }: Omit<Caller, 'userAgent'>,
) =>
  recordAudit(db, actor, {
    action: 'users.change-password-failed',
    objectType: 'user',
    objectId,
    requestId,
  })

const fault = (field: string, error: string) =>
  new AppError('invalid_input', error, { validations: [{ field, error }] })
