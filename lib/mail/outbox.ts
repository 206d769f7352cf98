import { deriveKey } from '@/lib/crypto/derive-key'
import { seal, unseal } from '@/lib/crypto/seal'
import { mails } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { OutgoingMail } from '@/lib/mail-provider/provider'
import type { TemplateName } from './render-mail'

export const GIVE_UP_AFTER_MS = 24 * 60 * 60_000

/** What the audit log says of a new mail: it waits to be sent or, without a provider, is kept in the outbox. */
export const fateOfMail = ({ mail }: Pick<Deps, 'mail'>): 'queued' | 'kept' =>
  mail ? 'queued' : 'kept'

type NewMail = { template: TemplateName; userId: string; mail: OutgoingMail }

/**
 * Queues a mail in the transaction of the change it is about: neither exists without the other. The
 * body is encrypted, since it contains links and passwords. Nothing is sent before the commit.
 */
export async function putInOutbox(
  tx: Db,
  secret: string,
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

const sealMail = (secret: string, id: string, mail: OutgoingMail) =>
  seal(deriveKey(secret, 'mail-body'), id, JSON.stringify(mail))

/** The mail of a row's `body`; null when it was encrypted with another secret. */
export function unsealMail(secret: string, id: string, body: string): OutgoingMail | null {
  try {
    return JSON.parse(unseal(deriveKey(secret, 'mail-body'), id, body)) as OutgoingMail
  } catch {
    return null // decryption does not report why it failed
  }
}
