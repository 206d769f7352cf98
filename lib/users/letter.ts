import type { Deps } from '@/lib/deps'
import 'server-only'
import { appUrl } from '@/lib/auth/app-url'
import type { Db } from '@/lib/db/types'
import { putInOutbox } from '@/lib/mail/outbox'
import { type MailContent, renderMail } from '@/lib/mail/render-mail'
import { ACTIVATION_LIFETIME_MS, newLinkToken, RESET_LIFETIME_MS } from './link-token'
import { replaceToken } from './store'

type Recipient = { id: string; email: string }
type LetterDeps = Pick<Deps, 'settings' | 'secret'>

/** A rendered mail with its link, to be written in the transaction of the account it belongs to. */
export type Letter = { write: (tx: Db) => Promise<void> }

/** The mail whose link activates an account; `password`: the generated one, if any. */
export function activationLetter(
  deps: LetterDeps,
  { id, email }: Recipient,
  password?: string | null,
): Letter {
  const { token, tokenHash } = newLinkToken()
  const link = `${appUrl(deps.settings)}/activate?token=${token}`
  const expiresAt = new Date(Date.now() + ACTIVATION_LIFETIME_MS)
  const content: MailContent = password
    ? { template: 'activation-with-password', props: { email, link, password } }
    : { template: 'activation', props: { email, link } }
  return letter(deps, { userId: id, kind: 'activation', tokenHash, expiresAt }, content)
}

/** The mail whose link sets a new password. */
export function resetLetter(deps: LetterDeps, { id, email }: Recipient): Letter {
  const { token, tokenHash } = newLinkToken()
  const link = `${appUrl(deps.settings)}/reset-password?token=${token}`
  const expiresAt = new Date(Date.now() + RESET_LIFETIME_MS)
  const content: MailContent = { template: 'reset-password', props: { email, link } }
  return letter(deps, { userId: id, kind: 'reset', tokenHash, expiresAt }, content)
}

function letter(
  { settings, secret }: LetterDeps,
  token: Parameters<typeof replaceToken>[1],
  content: MailContent,
): Letter {
  const { userId } = token
  const rendered = renderMail(content)
  const mail = { from: settings.MAIL_FROM, to: content.props.email, ...rendered }
  return {
    write: async (tx) => {
      await replaceToken(tx, token)
      await putInOutbox(tx, secret, { template: content.template, userId, mail })
    },
  }
}
