import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { announceMail } from '@/lib/mail/mail-worker'
import { fateOfMail } from '@/lib/mail/outbox'
import { activationLetter, generatePassword } from './letter'
import { findUser, lockUser, updateUser } from './store'

/**
 * Sends the activation mail again; the older link becomes invalid. A generated password is
 * replaced, since only its hash is stored. Throws `not_found`, `forbidden` for a user who has more
 * rights than the caller, and `conflict` for an account that does not wait for its activation.
 */
export async function sendActivation(
  deps: Deps,
  userId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> {
  const user = await findUser(deps.db, userId)
  if (!user) throw new AppError('not_found', 'There is no user with this id')
  const password = user.mustChangePassword ? generatePassword() : null
  const passwordHash = password ? await deps.hashPassword(password) : undefined
  const letter = activationLetter(deps, user, password)
  await deps.db.transaction(async (tx) => {
    const { status, roles } = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, roles)
    if (status !== 'REQUIRED_ACTIVATION')
      throw new AppError('conflict', 'This account does not wait for its activation')
    if (passwordHash) await updateUser(tx, userId, { passwordHash })
    await letter.write(tx)
    await recordAudit(tx, actor, {
      action: 'users.send-activation',
      objectType: 'user',
      objectId: userId,
      details: { passwordGenerated: password !== null, mail: fateOfMail(deps) },
      requestId,
    })
  })
  await announceMail(deps)
}
