import { asc } from 'drizzle-orm'
import { mails } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { unsealMail } from '@/lib/mail/outbox'

/** Every mail of the outbox, oldest first, with its text and the token of its link. */
export async function readInbox({ db, secret }: Deps) {
  const found = await db.select().from(mails).orderBy(asc(mails.createdAt), asc(mails.id))
  return found.map(({ id, to, template, status, body }) => {
    const text = (body ? unsealMail(secret, id, body)?.text : null) ?? ''
    return { id, to, template, status, text, token: /token=([\w.-]+)/.exec(text)?.[1] ?? '' }
  })
}
