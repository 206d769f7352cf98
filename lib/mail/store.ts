import 'server-only'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import { type MailRow, mails } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'

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
  const [next] = await rows<{ ms: number | null }>(
    db,
    sql`
    select greatest(0, extract(epoch from min(coalesce(claimed_until, next_attempt_at)) - now()) * 1000)::int as ms
    from ${mails} where status in ('queued', 'sending')`,
  )
  return next?.ms ?? null
}

export async function findMail(db: Db, id: string): Promise<MailRow | null> {
  const [found] = await db.select().from(mails).where(eq(mails.id, id))
  return found ?? null
}
