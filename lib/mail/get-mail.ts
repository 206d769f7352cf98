import 'server-only'
import type { MailRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import type { Mail } from './contract'
import { unsealMail } from './outbox'
import { findMail } from './store'

/** One mail with its content while that is kept. Throws `not_found`. */
export async function getMail(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  id: string,
): Promise<Mail> {
  const row = await findMail(db, id)
  if (!row) throw noSuchMail()
  return toMail(row, secret)
}

export const noSuchMail = () => new AppError('not_found', 'There is no mail with this id')

export function toMail(row: MailRow, secret: string): Mail {
  const { id, to, subject, template, status, attempts, error, body } = row
  const content = body === null ? null : unsealMail(secret, id, body)
  return {
    ...{ id, to, subject, template, status, attempts, error },
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    nextAttemptAt: status === 'queued' && attempts > 0 ? row.nextAttemptAt.toISOString() : null,
    content: content && { from: content.from, html: content.html, text: content.text },
  }
}
