import { createHash, randomBytes, randomInt } from 'node:crypto'
import { appUrl } from '@/lib/auth/app-url'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { putInOutbox } from '@/lib/mail/outbox'
import { type MailContent, renderMail } from '@/lib/mail/render-mail'
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
  const rendered = renderMail(content, settings)
  const mail = { from: settings.MAIL_FROM, to: content.props.email, ...rendered }
  return {
    write: async (tx) => {
      await replaceToken(tx, token)
      await putInOutbox(tx, secret, { template: content.template, userId, mail })
    },
  }
}

// Without characters that look alike: 0 O o, 1 I l.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A one-time password: `gXu7k-…`, 116 bits. */
export const generatePassword = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')

const DAY_MS = 24 * 60 * 60_000
const ACTIVATION_LIFETIME_MS = 7 * DAY_MS
const RESET_LIFETIME_MS = DAY_MS / 24

/** The secret of a link: 256 random bits. Only `tokenHash` may be kept. */
function newLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

export const hashLinkToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex')
