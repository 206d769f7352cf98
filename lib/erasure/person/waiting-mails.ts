import { eq, isNotNull } from 'drizzle-orm'
import type { AppSecret } from '@/lib/crypto/derive-key'
import { mails } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { sealMail, unsealMail } from '@/lib/mail/outbox'
import type { ErasedPart } from '../contract'
import type { Person } from './find-person'
import { emailExpression, type Pseudonym } from './pseudonym'

/** Puts the pseudonym into mails to others that still have their text, which is encrypted. */
export async function rewriteWaitingMails(
  tx: Db,
  secret: AppSecret,
  person: Person,
  { name }: Pseudonym,
): Promise<ErasedPart[]> {
  const found = await tx
    .select({ id: mails.id, body: mails.body })
    .from(mails)
    .where(isNotNull(mails.body))
    .for('update')
  const named = emailExpression(person)
  let changed = 0
  for (const { id, body } of found) {
    const mail = body && unsealMail(secret, id, body)
    if (!mail) continue
    const before = JSON.stringify(mail)
    const after = JSON.stringify(replaceTexts(mail, (text) => text.replaceAll(named, name)))
    if (after === before) continue
    await tx
      .update(mails)
      .set({ body: sealMail(secret, id, JSON.parse(after)) })
      .where(eq(mails.id, id))
    changed++
  }
  return [{ table: 'engine.mails', deleted: 0, changed }]
}

const replaceTexts = <T extends object>(mail: T, replace: (text: string) => string) =>
  Object.fromEntries(
    Object.entries(mail).map(([key, value]) => [
      key,
      typeof value === 'string' ? replace(value) : value,
    ]),
  )
