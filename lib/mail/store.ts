import { and, asc, eq, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { type MailRow, mails, users } from '@/lib/db/schema'
import { type Db, now, one, plus } from '@/lib/db/sql'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import type { MailStatus } from './status'

/** Longer than the provider takes for all mails of a claim together. */
const CLAIM_SECONDS = 60

export type Claim = { id: string; attempts: number; body: string | null; overdue: boolean }

/**
 * Claims up to `limit` due mails for this worker, those of dead workers included. No other worker
 * gets them before the claim ends. `attempts` counts this attempt and names the claim.
 */
export function claimDue(db: Db, limit: number): Promise<Claim[]> {
  const locked = db
    .select({ id: mails.id })
    .from(mails)
    .where(
      or(
        and(eq(mails.status, 'queued'), lte(mails.nextAttemptAt, now)),
        and(eq(mails.status, 'sending'), lte(mails.claimedUntil, now)),
      ),
    )
    .orderBy(asc(mails.nextAttemptAt), asc(mails.id))
    .limit(limit)
    .for('update', { skipLocked: true })
  // As a subselect of the condition it would be executed again for each row by some plans, with other
  // rows each time: more than `limit` would be claimed, and most of them not sent.
  const due = db.$with('due').as(locked)
  return db
    .with(due)
    .update(mails)
    .set({
      status: 'sending',
      attempts: plus(mails.attempts, 1),
      updatedAt: now,
      claimedUntil: sql`${now} + make_interval(secs => ${CLAIM_SECONDS})`,
    })
    .where(inArray(mails.id, db.select({ id: due.id }).from(due)))
    .returning({
      id: mails.id,
      attempts: mails.attempts,
      body: mails.body,
      overdue: lt(mails.giveUpAt, now).mapWith(Boolean),
    })
}

/** Ends a claim. Does nothing when another worker has claimed the mail or its outcome is known. */
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

/** Milliseconds until something is due, or null when the outbox is empty. */
export async function nextDueInMs(db: Db): Promise<number | null> {
  const due = sql`coalesce(${mails.claimedUntil}, ${mails.nextAttemptAt})`
  const [next] = await db
    .select({ ms: sql<number>`greatest(0, extract(epoch from ${due} - ${now}) * 1000)::int` })
    .from(mails)
    .where(inArray(mails.status, ['queued', 'sending']))
    .orderBy(asc(due))
    .limit(1)
  return next?.ms ?? null
}

export async function findMail(db: Db, id: string): Promise<MailRow | null> {
  if (!isUuid(id)) return null
  const [found] = await db.select().from(mails).where(eq(mails.id, id))
  return found ?? null
}

/** Of the account that the recipient has, or makes by the mail; empty without one. */
export async function rolesOfRecipient(
  db: Db,
  { userId, template }: MailRow,
  { REGISTRATION_ROLE: role }: Pick<Env, 'REGISTRATION_ROLE'>,
): Promise<string[]> {
  if (!userId) return template === 'registration' && role ? [role] : []
  const [found] = await db.select({ roles: users.roles }).from(users).where(eq(users.id, userId))
  return found?.roles ?? []
}

/** The address of an account. Throws `unauthenticated` once it is deleted. */
export async function emailOf(db: Db, userId: string): Promise<string> {
  const [found] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!found) throw new AppError('unauthenticated', 'This account no longer exists')
  return found.email
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
  return one(
    await tx
      .update(mails)
      .set({ ...changes, nextAttemptAt: now })
      .where(eq(mails.id, id))
      .returning(),
  )
}

/**
 * Records what the provider reports about a mail. Returns whether there is such a mail. A late
 * report changes nothing: `bounced` is final, and `delivered` never becomes `sent` again.
 */
export async function recordFate(
  db: Db,
  id: string,
  { status, error }: { status: 'delivered' | 'bounced'; error: string | null },
): Promise<boolean> {
  if (!isUuid(id)) return false
  const open = status === 'bounced' ? ['sending', 'sent', 'delivered'] : ['sending', 'sent']
  const sentAt = sql`coalesce(${mails.sentAt}, ${now})`
  await db
    .update(mails)
    .set({ status, error, sentAt, body: null, claimedUntil: null })
    .where(and(eq(mails.id, id), inArray(mails.status, open as MailStatus[])))
  return (await findMail(db, id)) !== null
}

/** How many days a mail that could not be sent keeps its text, and one to a stranger is listed: their links have expired by then. */
export const FAILED_MAIL_DAYS = 7

const hasExpired = lt(
  mails.createdAt,
  sql`${now} - make_interval(days => ${FAILED_MAIL_DAYS}::int)`,
)

/** Deletes the texts of mails whose links have expired. */
export const dropOldBodies = (db: Db) =>
  db
    .update(mails)
    .set({ body: null })
    .where(and(isNotNull(mails.body), eq(mails.status, 'failed'), hasExpired))

/** Deletes mails to strangers after that time, so that these can't fill the outbox. */
export const dropOldRegistrations = (db: Db) =>
  db.delete(mails).where(and(eq(mails.template, 'registration'), hasExpired))
