import { sql } from 'drizzle-orm'
import { auditLog, mails } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

/** Of one statement. */
const PART_ROWS = 10_000

/**
 * Deletes entries of the audit log older than AUDIT_DAYS, and mails older than MAIL_DAYS that are over, where these are set. Run
 * periodically, on any instance. Returns how many.
 */
export async function sweepOld({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<number> {
  const { AUDIT_DAYS, MAIL_DAYS } = settings
  const entries = AUDIT_DAYS ? await deleteAll(db, oldEntries(AUDIT_DAYS)) : 0
  return entries + (MAIL_DAYS ? await deleteAll(db, oldMails(MAIL_DAYS)) : 0)
}

const since = (days: number) => sql`now() - make_interval(days => ${days}::int)`

/** The log is append-only but for what is older than its statement says. */
const oldEntries = (days: number) => sql`with kept as materialized (
    select set_config('engine.audit_kept_since', (${since(days)})::text, true)::timestamptz as since
  ), deleted as (
    delete from ${auditLog} where id in (
      select a.id from ${auditLog} as a, kept where a.created_at < kept.since order by a.created_at limit ${PART_ROWS}
    ) returning 1)
  select count(*)::int as total from deleted`

const oldMails = (days: number) => sql`with deleted as (
    delete from ${mails} where id in (
      select id from ${mails} where created_at < ${since(days)} and status not in ('queued', 'sending') limit ${PART_ROWS}
    ) returning 1)
  select count(*)::int as total from deleted`

async function deleteAll(db: Db, statement: ReturnType<typeof oldMails>): Promise<number> {
  let all = 0
  for (;;) {
    const { total } = one(await rows<{ total: number }>(db, statement))
    all += total
    if (total < PART_ROWS) return all
  }
}
