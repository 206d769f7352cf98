import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { AppSecret } from '@/lib/crypto/derive-key'
import { mails } from '@/lib/db/schema'
import { affectedRows, type Db } from '@/lib/db/sql'
import { unsealMail } from '@/lib/mail/outbox'
import type { ErasedPart } from '../contract'
import { ERASED } from './collect'

/** Deletes mails that still have their text, which is encrypted, and tell of comments on records that are deleted. */
export async function eraseWaitingMails(
  tx: Db,
  secret: AppSecret,
  entity: string,
): Promise<ErasedPart> {
  const { id, body, template } = mails
  const waiting = await tx
    .select({ id, body })
    .from(mails)
    .where(and(eq(template, 'mention'), isNotNull(body)))
  const told = waiting.flatMap(({ id, body }) => {
    const link = body && linkIn(unsealMail(secret, id, body)?.text ?? '')
    return link && link.entity === entity ? [{ id, record: link.record }] : []
  })
  const deleted = await affectedRows(
    tx,
    sql`delete from engine.mails where id in (
      select t.id from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as t(id uuid, record text)
      join ${ERASED} as e on lower(t.record) in (lower(e.key), lower(e.comment)) where not e.stays)`,
  )
  return { table: 'engine.mails', deleted, changed: 0 }
}

/** The record to which a mail leads: by its last address, since the comment may have others. */
function linkIn(text: string): { entity: string; record: string } | null {
  const found = [...text.matchAll(/\/entities\/([^?\s]+)\?(record=\S+)/g)].at(-1)
  const [, entity = '', query] = found ?? []
  const record = new URLSearchParams(query).get('record')
  return record === null ? null : { entity: decodeURIComponent(entity), record }
}
