import { and, eq, inArray } from 'drizzle-orm'
import { appUrl } from '@/lib/auth/app-url'
import { actorOfUser } from '@/lib/auth/load-actor'
import { countAttempt, MENTION_MAIL } from '@/lib/auth/rate-limit'
import type { Actor } from '@/lib/auth/rights'
import { type CommentRow, recordComments, users } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { putInOutbox } from '@/lib/mail/outbox'
import { renderMail } from '@/lib/mail/render-mail'
import { type CommentedRecord, seesRecord } from './commented-record'
import { MAX_MENTIONS } from './contract'
import { mentionsIn } from './mentions'

type Person = { id: string; email: string }

/**
 * Writes a mail to each active user whom the comment mentions, who may read its record, who is not its author and had none about it
 * yet; at most 100 of one author in an hour. Returns how many. What it says of nobody is just text.
 */
export async function mailMentions(
  tx: Db,
  deps: Deps,
  record: CommentedRecord,
  comment: CommentRow,
  actor: Actor,
): Promise<number> {
  const { id, mentioned } = comment
  const mailed: string[] = []
  for (const person of await peopleIn(tx, comment.text)) {
    if (mentioned.length + mailed.length >= MAX_MENTIONS) break
    const isSelf = actor.type === 'user' && person.id === actor.id
    if (isSelf || mentioned.includes(person.id)) continue
    const reader = await actorOfUser(tx, person.id, null)
    if (!reader || !(await seesRecord(tx, record, reader))) continue
    if (!(await isBelowLimit(tx, actor))) break
    await putMail(tx, deps, record, comment, person)
    mailed.push(person.id)
  }
  if (mailed.length > 0)
    await tx
      .update(recordComments)
      .set({ mentioned: [...mentioned, ...mailed] })
      .where(eq(recordComments.id, id))
  return mailed.length
}

const isBelowLimit = (tx: Db, { userId, id }: Actor): Promise<boolean> =>
  countAttempt(tx, MENTION_MAIL, userId ?? id).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.code === 'rate_limited') return false
      throw error
    },
  )

/** The active users that a text mentions, in its order. */
async function peopleIn(tx: Db, text: string): Promise<Person[]> {
  const emails = mentionsIn(text)
  if (emails.length === 0) return []
  const found = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      and(
        eq(users.status, 'ACTIVATED'),
        inArray(
          lower(users.email),
          emails.map((email) => lower(email)),
        ),
      ),
    )
  const place = ({ email }: Person) => emails.indexOf(email.toLowerCase())
  return found.sort((one, other) => place(one) - place(other))
}

async function putMail(
  tx: Db,
  { settings, secret }: Deps,
  { entity, id }: CommentedRecord,
  { text, authorName: by }: CommentRow,
  person: Person,
): Promise<void> {
  const template = 'mention'
  const record = new URLSearchParams({ record: id, tab: 'comments' })
  const link = `${appUrl(settings)}/entities/${encodeURIComponent(entity.name)}?${record}`
  const props = { email: person.email, by, entity: entity.name, text, link }
  const rendered = renderMail({ template, props }, settings)
  const mail = { from: settings.MAIL_FROM, to: person.email, ...rendered }
  await putInOutbox(tx, secret, { template, userId: person.id, mail })
}
