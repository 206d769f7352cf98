import { recordAudit } from '@/lib/audit/record-audit'
import { appUrl } from '@/lib/auth/app-url'
import { countAttempt, TEST_MAIL } from '@/lib/auth/rate-limit'
import { type Actor, requireAccount } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Delivery } from '@/lib/mail-provider/provider'
import type { TestMail } from './contract'
import { renderMail } from './render-mail'
import { emailOf } from './store'

/**
 * Sends a mail to the caller's own address, once and at once; returns what the provider said. It is
 * not in the outbox: nothing is tried later. Throws `forbidden` for a key without an account,
 * `conflict` without a provider, and `rate_limited`.
 */
export async function sendTestMail(
  deps: Deps,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<TestMail> {
  requireAccount(actor)
  const { db, mail, settings } = deps
  if (!mail) throw new AppError('conflict', NO_PROVIDER)
  await countAttempt(db, TEST_MAIL, actor.userId)
  const email = await emailOf(db, actor.userId)
  const props = { email, link: `${appUrl(settings)}/settings` }
  const rendered = renderMail({ template: 'test', props }, settings)
  const id = crypto.randomUUID()
  const delivery = await mail.send({ from: settings.MAIL_FROM, to: email, ...rendered }, id)
  const result = {
    to: email,
    accepted: delivery.outcome === 'accepted',
    answer: answerOf(delivery, mail.name),
  }
  await recordAudit(db, actor, {
    action: 'mails.test',
    objectType: 'user',
    objectId: actor.userId,
    details: { accepted: result.accepted, answer: result.answer },
    requestId,
  })
  return result
}

const NO_PROVIDER = 'No mail provider is set: set SMTP_URL or RESEND_API_KEY and restart the server'

function answerOf(delivery: Delivery, provider: string): string {
  if (delivery.outcome !== 'accepted') return delivery.error
  const { providerId } = delivery
  return `${provider} accepted the mail${providerId ? `: ${providerId}` : ''}`
}
