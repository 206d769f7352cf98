import { recordAudit } from '@/lib/audit/record-audit'
import {
  countAttempt,
  REGISTER_BY_MAILBOX,
  REGISTER_BY_MAILBOX_OF_DAY,
  REGISTER_BY_NETWORK,
} from '@/lib/auth/rate-limit'
import { networkOf } from '@/lib/auth/request-origin'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import type { Deps } from '@/lib/deps'
import { announceMail } from '@/lib/mail/mail-worker'
import { fateOfMail } from '@/lib/mail/outbox'
import { findUserByEmail } from '@/lib/users/store'
import { answerTo } from './letters'
import { mailboxOf, registrationIsClosed } from './may-register'

type Visitor = { address: string | null; requestId: string }

/**
 * Sends a mail to the address: the link that makes an account of it, the link of an account that is not active yet, or a
 * word that there is one. The caller can't find out which, nor whether there is any: the same work is done in all cases.
 * Throws `forbidden` where nobody registers, and `rate_limited`.
 */
export async function askToRegister(
  deps: Deps,
  email: string,
  { address, requestId }: Visitor,
): Promise<void> {
  const { db, settings } = deps
  if (settings.REGISTRATION.by === 'off' || !(await isSetUp(db))) throw registrationIsClosed()
  await countAttempt(db, REGISTER_BY_NETWORK, networkOf(address))
  await countAttempt(db, REGISTER_BY_MAILBOX, mailboxOf(email))
  await countAttempt(db, REGISTER_BY_MAILBOX_OF_DAY, mailboxOf(email))
  const user = await findUserByEmail(db, email)
  const { letter, isSent } = await answerTo(deps, email, user)
  await db.transaction(async (tx) => {
    if (isSent) await letter.write(tx)
    await recordAudit(
      tx,
      { type: 'anonymous', address },
      {
        action: 'users.register',
        objectType: 'user',
        objectId: user?.id,
        ...(isSent ? { details: { mail: fateOfMail(deps) } } : {}),
        requestId,
      },
    )
  })
  await announceMail(deps)
}
