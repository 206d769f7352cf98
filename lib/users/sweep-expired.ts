import { lt, sql } from 'drizzle-orm'
import { sweepSessions } from '@/lib/auth/session-store'
import { rateLimits, userTokens } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { dropOldBodies, dropOldRegistrations } from '@/lib/mail/store'
import { sweepChallenges } from '@/lib/second-factors/challenge-store'
import { sweepProviderSessions } from './provider-sessions'

/** Deletes expired links, sessions, challenges, attempt counters, contents of failed mails and mails to strangers. */
export async function sweepExpired({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.delete(userTokens).where(lt(userTokens.expiresAt, sql`${now} - interval '1 day'`))
  await db.delete(rateLimits).where(lt(rateLimits.expire, now))
  await sweepSessions(db)
  await sweepProviderSessions(db)
  await sweepChallenges(db)
  await dropOldBodies(db)
  await dropOldRegistrations(db)
}
