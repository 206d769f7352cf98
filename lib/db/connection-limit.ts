import { sql } from 'drizzle-orm'
import type { Env } from '@/lib/env'
import { withOwnBudget } from './budget'
import { type Db, one, rows } from './sql'

/** Fewer connections than this server may need at a time: all its processes, when they are busy. */
export type Shortage = { needed: number; allowed: number; limitedBy: LimitedBy }
type LimitedBy = 'role' | 'database' | 'server'
type Limit = { allowed: number; limitedBy: LimitedBy }
type Settings = Pick<Env, 'DATABASE_POOL_SIZE' | 'WEB_CONCURRENCY' | 'DATABASE_DIRECT_URL'>

/** Of each process: notifications, an install or another lock by name, and one more of these. */
const BESIDE_POOL = 3
/** An administrator may change a limit. */
const KEEP_MS = 60_000
const ASK_MS = 2_000
const limits = new WeakMap<Db, { at: number; limit: Promise<Limit> }>()

/** Null where PostgreSQL allows enough for this server; each further instance needs as many again. */
export async function connectionShortage(db: Db, settings: Settings): Promise<Shortage | null> {
  const needed = connectionsNeeded(settings)
  const { allowed, limitedBy } = await limitOf(db)
  return allowed < needed ? { needed, allowed, limitedBy } : null
}

/** Of PostgreSQL itself: a pooler in front has connections of its own, whose number its settings say. */
export const connectionsNeeded = (settings: Settings): number =>
  settings.WEB_CONCURRENCY *
  (BESIDE_POOL + (settings.DATABASE_DIRECT_URL ? 0 : settings.DATABASE_POOL_SIZE))

export const describeShortage = ({ needed, allowed, limitedBy }: Shortage): string =>
  `PostgreSQL allows ${allowed} connections (${LIMITS[limitedBy]}), and this server may need ${needed} (WEB_CONCURRENCY × (DATABASE_POOL_SIZE + ${BESIDE_POOL})): lower DATABASE_POOL_SIZE, or raise the limit`

const LIMITS: Record<LimitedBy, string> = {
  role: 'connection limit of the role',
  database: 'connection limit of the database',
  server: 'max_connections less those reserved',
}

function limitOf(db: Db): Promise<Limit> {
  const known = limits.get(db)
  if (known && Date.now() - known.at < KEEP_MS) return known.limit
  const limit = withOwnBudget({ ms: ASK_MS }, () => readLimit(db))
  limits.set(db, { at: Date.now(), limit })
  limit.catch(() => limits.delete(db))
  return limit
}

/** Limits of -1 are none. A superuser has those of the server alone, and what is reserved. */
const readLimit = async (db: Db): Promise<Limit> =>
  one(
    await rows<Limit>(
      db,
      sql`with me as (select rolsuper, rolconnlimit from pg_roles where rolname = session_user)
          select allowed, "limitedBy" from (
            select current_setting('max_connections')::int - case when rolsuper then 0 else
                current_setting('superuser_reserved_connections')::int
                + coalesce(current_setting('reserved_connections', true)::int, 0) end, 'server' from me
            union all select rolconnlimit, 'role' from me where not rolsuper
            union all select datconnlimit, 'database' from pg_database, me
              where datname = current_database() and not rolsuper
          ) as limits(allowed, "limitedBy")
          where allowed >= 0 order by allowed limit 1`,
    ),
  )
