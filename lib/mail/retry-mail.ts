import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Mail } from './contract'
import { noSuchMail, showMail } from './get-mail'
import { announceMail } from './mail-worker'
import { GIVE_UP_AFTER_MS } from './outbox'
import { lockMail, requeue } from './store'

/**
 * Sends a mail that failed, or waits for its next attempt, now and for another 24 hours. Throws
 * `not_found`, and `conflict` without a provider, when it is being sent, or when its content is deleted.
 */
export async function retryMail(
  deps: Deps,
  id: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<Mail> {
  const mail = await deps.db.transaction(async (tx) => {
    const before = await lockMail(tx, id)
    if (!before) throw noSuchMail()
    if (!deps.mail) throw new AppError('conflict', KEPT)
    if (before.status !== 'failed' && before.status !== 'queued')
      throw new AppError('conflict', `This mail is ${before.status} already`)
    if (before.body === null)
      throw new AppError('conflict', 'The content of this mail is deleted; trigger a new mail')
    const after = await requeue(tx, id, new Date(Date.now() + GIVE_UP_AFTER_MS))
    await recordAudit(tx, actor, {
      action: 'mails.retry',
      objectType: 'mail',
      objectId: id,
      details: { before: { status: before.status, error: before.error } },
      requestId,
    })
    return showMail(tx, after, { ...deps, actor })
  })
  await announceMail(deps)
  return mail
}

const KEPT =
  'No mail provider is set, so this mail is kept in the outbox: pass on its content, or set SMTP_URL or RESEND_API_KEY'
