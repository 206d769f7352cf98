import 'server-only'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import { type MailRow, mails, users } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { isUuid } from '@/lib/values/uuid'
import type { MailStatus } from './status'

/** Longer than a provider may take for all mails of a claim together. */
const CLAIM_SECONDS = 60

export type Claim = { id: string; attempts: number; body: string | null; overdue: boolean }

/**
 * Takes up to `limit` due mails for this worker, and those whose worker died. No other worker gets
 * them before the claim ends. `attempts` counts this attempt and names the claim.
 */
export const claimDue = (db: Db, limit: number): Promise<Claim[]> =>
  rows<Claim>(
    db,
    sql`
    update ${mails} set status = 'sending', attempts = attempts + 1, updated_at = now(),
      claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    where id in (
      select id from ${mails}
      where (status = 'queued' and next_attempt_at <= now()) or (status = 'sending' and claimed_until <= now())
      order by next_attempt_at, id limit ${limit} for update skip locked)
    returning id::text, attempts, body, give_up_at < now() as overdue`,
  )

/** Ends a claim. Does nothing when the claim has gone to another worker or the mail's fate is known. */
export async function settle(
  db: Db,
  { id, attempts }: Claim,
  changes: { [K in keyof MailRow]?: MailRow[K] | SQL },
): Promise<void> {
  await db
    .update(mails)
    .set({ ...changes, claimedUntil: null })
    .where(and(eq(mails.id, id), eq(mails.status, 'sending'), eq(mails.attempts, attempts)))
}

/** Milliseconds until something is due, or null when nothing waits. */
export async function nextDueInMs(db: Db): Promise<number | null> {
  const [next] = await rows<{ ms: number }>(
    db,
    sql`
    select greatest(0, extract(epoch from coalesce(claimed_until, next_attempt_at) - now()) * 1000)::int as ms
    from ${mails} where status in ('queued', 'sending')
    order by coalesce(claimed_until, next_attempt_at) limit 1`,
  )
  return next?.ms ?? null
}

export async function findMail(db: Db, id: string): Promise<MailRow | null> {
  if (!isUuid(id)) return null
  const [found] = await db.select().from(mails).where(eq(mails.id, id))
  return found ?? null
}

/** None of a recipient who has no account (any more). */
export async function rolesOfRecipient(db: Db, { userId }: MailRow): Promise<string[]> {
  if (!userId) return []
  const [found] = await db.select({ roles: users.roles }).from(users).where(eq(users.id, userId))
  return found?.roles ?? []
}

/** The mail, locked until the transaction ends. */
export async function lockMail(tx: Db, id: string): Promise<MailRow | null> {
  if (!isUuid(id)) return null
  const [found] = await tx.select().from(mails).where(eq(mails.id, id)).for('update')
  return found ?? null
}

/** Makes the mail due now, as if it were new. */
export async function requeue(tx: Db, id: string, giveUpAt: Date): Promise<MailRow> {
  const changes = { status: 'queued', attempts: 0, error: null, giveUpAt } as const
  const now = { nextAttemptAt: sql`now()` }
  return one(
    await tx
      .update(mails)
      .set({ ...changes, ...now })
      .where(eq(mails.id, id))
      .returning(),
  )
}

/**
 * Notes what the provider told about a mail it has taken. Answers whether there is such a mail. What
 * comes late changes nothing: a bounce is the last word, and delivered is never sent again.
 */
export async function noteFate(
  db: Db,
  id: string,
  { status, error }: { status: 'delivered' | 'bounced'; error: string | null },
): Promise<boolean> {
  if (!isUuid(id)) return false
  const open = status === 'bounced' ? ['sending', 'sent', 'delivered'] : ['sending', 'sent']
  const sentAt = sql`coalesce(${mails.sentAt}, now())`
  await db
    .update(mails)
    .set({ status, error, sentAt, body: null, claimedUntil: null })
    .where(and(eq(mails.id, id), inArray(mails.status, open as MailStatus[])))
  return (await findMail(db, id)) !== null
}

/** Drops what nobody can use any more: links in mails die after a week at most. */
export const dropOldBodies = (db: Db) =>
  db
    .update(mails)
    .set({ body: null })
    .where(
      sql`${mails.body} is not null and ${mails.status} = 'failed' and ${mails.createdAt} < now() - interval '7 days'`,
    )
