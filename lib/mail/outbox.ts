import type { AppSecret } from '@/lib/crypto/derive-key'
import { decrypt, encrypt } from '@/lib/crypto/stored-text'
import { mails } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { OutgoingMail } from '@/lib/mail-provider/provider'
import type { TemplateName } from './render-mail'

export const GIVE_UP_AFTER_MS = 24 * 60 * 60_000

/** What the audit log says of a new mail: it waits to be sent or, without a provider, is kept in the outbox. */
export const fateOfMail = ({ mail }: Pick<Deps, 'mail'>): 'queued' | 'kept' =>
  mail ? 'queued' : 'kept'

/** `userId` null: to an address without an account. */
type NewMail = { template: TemplateName; userId: string | null; mail: OutgoingMail }

/**
 * Queues a mail in the transaction of the change it is about: neither exists without the other. The
 * body is encrypted, since it contains links and passwords. Nothing is sent before the commit.
 */
export async function putInOutbox(
  tx: Db,
  secret: AppSecret,
  { template, userId, mail }: NewMail,
): Promise<void> {
  const id = crypto.randomUUID()
  const { to, subject } = mail
  await tx.insert(mails).values({
    id,
    userId,
    to,
    subject,
    template,
    body: sealMail(secret, id, mail),
    giveUpAt: new Date(Date.now() + GIVE_UP_AFTER_MS),
  })
}

export const sealMail = (secret: AppSecret, id: string, mail: OutgoingMail) =>
  encrypt(secret, { purpose: 'mail-body', id }, JSON.stringify(mail))

/** The mail of a row's `body`; null when it was encrypted with another secret. */
export function unsealMail(secret: AppSecret, id: string, body: string): OutgoingMail | null {
  const text = decrypt(secret, { purpose: 'mail-body', id }, body)
  return text === null ? null : (JSON.parse(text) as OutgoingMail)
}
