import type { Deps } from '@/lib/deps'
import 'server-only'
import { lt, sql } from 'drizzle-orm'
import { now } from '@/lib/db/functions'
import { rateLimits, userTokens } from '@/lib/db/schema'
import { dropOldBodies } from '@/lib/mail/store'

/** Deletes expired links, attempt counters and contents of failed mails. */
export async function sweepExpired({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.delete(userTokens).where(lt(userTokens.expiresAt, sql`${now} - interval '1 day'`))
  await db.delete(rateLimits).where(lt(rateLimits.expire, now))
  await dropOldBodies(db)
}
