import { sql } from 'drizzle-orm'
import { recordVersions } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

/** Of one statement. */
const PART_ROWS = 10_000
/** Records that no version was added to for longer have been swept. */
const LOOK_BACK = sql`interval '1 day'`

/**
 * Deletes versions beyond the last HISTORY_VERSIONS of their record, those older than HISTORY_DAYS, and those
 * of tables that were dropped. Run at least once a day, on any instance. Returns how many.
 */
export async function sweepHistory({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<number> {
  const { HISTORY_VERSIONS: most, HISTORY_DAYS: days } = settings
  let swept = 0
  const excess = sql`select old.relation, old.key_hash, old.id from (
      select relation, key_hash, key from ${recordVersions} where at > now() - ${LOOK_BACK} group by 1, 2, 3
    ) as recent, lateral (
      select v.relation, v.key_hash, v.id from ${recordVersions} as v
      where v.relation = recent.relation and v.key_hash = recent.key_hash and v.key = recent.key
      order by v.id desc offset ${most}::int
    ) as old`
  const expired = sql`select relation, key_hash, id from ${recordVersions}
    where at < now() - make_interval(days => ${days}::int)`
  const ofDropped = sql`select relation, key_hash, id from ${recordVersions}
    where not exists (select from pg_class where oid = relation)`
  for (const found of [expired, excess, ofDropped]) swept += await deleteAll(db, found)
  return swept
}

async function deleteAll(db: Db, found: ReturnType<typeof sql>): Promise<number> {
  let all = 0
  for (;;) {
    const statement = sql`with old as (${found} limit ${PART_ROWS}), deleted as (
        delete from ${recordVersions} as v using old
        where v.relation = old.relation and v.key_hash = old.key_hash and v.id = old.id returning 1
      ) select count(*)::int as total from deleted`
    const { total } = one(await rows<{ total: number }>(db, statement))
    all += total
    if (total < PART_ROWS) return all
  }
}
