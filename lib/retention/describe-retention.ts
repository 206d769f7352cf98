import { type SQL, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { added } from '@/lib/around'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { Retained } from './contract'
import { KEPT, type Kept } from './kept'

/** From so many entries on, their number is an estimate. */
const COUNTED = 100_000
/** So that it takes few of the connections for requests. */
const AT_A_TIME = 2

/** What is kept for some time after its use, how long by which settings, and what of it there is now. */
export function describeRetention(deps: Deps): Promise<Retained[]> {
  const limit = pLimit(AT_A_TIME)
  const all = [...KEPT, ...added(deps, 'retention')]
  return Promise.all(all.map((kept) => limit(() => describeKept(deps, kept))))
}

async function describeKept({ db, settings }: Deps, kept: Kept): Promise<Retained> {
  const { name, title, rule } = kept
  const [entries, bytes] = [await countEntries(db, kept), await sizeOf(db, kept)]
  return { name, title, kept: rule(settings), settings: [...kept.settings], ...entries, bytes }
}

type Entries = Pick<Retained, 'entries' | 'isEstimate' | 'oldestAt'>

async function countEntries(db: Db, { tables: [table], at, isIndexed }: Kept): Promise<Entries> {
  const from = tableOf(table)
  const time = at === null ? sql`null::timestamptz` : sql.identifier(at)
  const first = sql`select ${time} as at from ${from} limit ${COUNTED}::int`
  const counted = one(
    await rows<Counted>(
      db,
      sql`select count(*)::int as entries, ${oldestAt} as "oldestAt" from (${first}) as t`,
    ),
  )
  if (counted.entries < COUNTED) return { ...counted, isEstimate: false }
  const estimate = sql`(select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 from ${partsOf(table)} as c) as entries`
  const ofAll = isIndexed
    ? sql`(select ${oldestAt} from (select ${time} as at from ${from}) as t)`
    : sql`null::text`
  const all = one(await rows<Counted>(db, sql`select ${estimate}, ${ofAll} as "oldestAt"`))
  return { entries: Math.max(all.entries, COUNTED), isEstimate: true, oldestAt: all.oldestAt }
}

type Counted = { entries: number; oldestAt: string | null }

const oldestAt = sql`to_char(min(t.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

async function sizeOf(db: Db, { tables }: Kept): Promise<number> {
  const sizes = tables.map(
    (table) =>
      sql`(select coalesce(sum(pg_total_relation_size(c.oid)), 0) from ${partsOf(table)} as c)`,
  )
  const statement = sql`select (${sql.join(sizes, sql` + `)})::float8 as bytes`
  return one(await rows<{ bytes: number }>(db, statement)).bytes
}

const tableOf = (table: string): SQL => sql`engine.${sql.identifier(table)}`

/** A table, or its partitions. */
const partsOf = (table: string): SQL => sql`(
    select oid, reltuples from pg_class where oid = ${`engine.${table}`}::regclass or oid in (
      select inhrelid from pg_inherits where inhparent = ${`engine.${table}`}::regclass))`
