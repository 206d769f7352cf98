import { findStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import type { AppSecret } from '@/lib/crypto/derive-key'
import type { MailRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Mail } from './contract'
import { unsealMail } from './outbox'
import { findMail, rolesOfRecipient } from './store'

/** One mail, with its content if that is kept and the caller may see it. Throws `not_found`. */
export async function getMail(
  deps: Pick<Deps, 'db' | 'secret' | 'mail' | 'settings'>,
  id: string,
  actor: Actor,
): Promise<Mail> {
  const row = await findMail(deps.db, id)
  if (!row) throw noSuchMail()
  return showMail(deps.db, row, { ...deps, actor })
}

/**
 * The mail as `actor` may see it: its link signs in anyone who has it, so the content is hidden
 * from callers with fewer rights than the recipient.
 */
export async function showMail(
  db: Db,
  row: MailRow,
  { secret, mail, settings, actor }: Pick<Deps, 'secret' | 'mail' | 'settings'> & { actor: Actor },
): Promise<Mail> {
  const roles = await rolesOfRecipient(db, row, settings)
  const isStronger = (await findStronger(db, actor, roles)) !== null
  const shown = toMail(isStronger ? { ...row, body: null } : row, secret)
  return mail ? shown : { ...shown, nextAttemptAt: null }
}

export const noSuchMail = () => new AppError('not_found', 'There is no mail with this id')

function toMail(row: MailRow, secret: AppSecret): Mail {
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
