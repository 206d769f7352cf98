import { recordAudit } from '@/lib/audit/record-audit'
import { countAttempt, RESET_BY_CALLER, RESET_BY_EMAIL } from '@/lib/auth/rate-limit'
import { networkOf } from '@/lib/auth/request-origin'
import type { UserRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { announceMail } from '@/lib/mail/mail-worker'
import { fateOfMail } from '@/lib/mail/outbox'
import { activationLetter, resetLetter } from './letter'
import { hasUseForPassword } from './local-sign-in'
import { findUserByEmail } from './store'

type Visitor = { address: string | null; requestId: string }

/**
 * Sends the link that sets a new password; to an account that was never activated, its activation
 * link; nothing when there is no such account, it is disabled, or has no use for a password. The caller can't find out which:
 * the same work is done in all cases, and a mail without an account is dropped. Throws
 * `rate_limited`.
 */
export async function askForReset(
  deps: Deps,
  email: string,
  { address, requestId }: Visitor,
): Promise<void> {
  await countAttempt(deps.db, RESET_BY_CALLER, networkOf(address))
  await countAttempt(deps.db, RESET_BY_EMAIL, email)
  const found = await findUserByEmail(deps.db, email)
  const isServed = found && found.status !== 'DISABLED' && hasUseForPassword(deps, found)
  const user = isServed ? found : null
  const letter = await letterFor(deps, user ?? noAccount(email))
  await deps.db.transaction(async (tx) => {
    if (user) await letter.write(tx)
    await recordAudit(
      tx,
      { type: 'anonymous', address },
      {
        action: 'users.forget-password',
        objectType: 'user',
        objectId: user?.id,
        ...(user ? { details: { mail: fateOfMail(deps) } } : {}),
        requestId,
      },
    )
  })
  await announceMail(deps)
}

const letterFor = (deps: Deps, user: Pick<UserRow, 'id' | 'email' | 'status'>) =>
  user.status === 'REQUIRED_ACTIVATION' ? activationLetter(deps, user) : resetLetter(deps, user)

const noAccount = (email: string) => ({
  id: crypto.randomUUID(),
  email,
  status: 'ACTIVATED' as const,
})
