import { type SQL, sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/sql'
import { type Check, counted, fault, listed, ok, warning } from './check'

/** What happens in the database over time. */
export const UPKEEP_CHECKS: readonly Check[] = [
  {
    name: 'locks',
    title: 'Waiting for locks',
    look: async ({ db }) => {
      const { waiting, seconds, holders } = one(
        await rows<{ waiting: number; seconds: number; holders: number[] | null }>(db, WAITING),
      )
      if (waiting === 0) return ok(`No statement has waited for ${WAITING_S} s or longer.`)
      const pids = listed((holders ?? []).map(String))
      return warning(
        `${counted(waiting, 'statement')} wait for locks, for up to ${seconds} s, that these processes hold: ${pids}.`,
        'See in pg_stat_activity what they do; pg_terminate_backend ends one.',
      )
    },
  },
  {
    name: 'transactions',
    title: 'Open transactions',
    look: async ({ db }) => {
      const { idle, pids } = one(
        await rows<{ idle: number; pids: number[] | null }>(db, IDLE_TRANSACTIONS),
      )
      if (idle === 0) return ok(`None has been idle for ${IDLE_MINUTES} minutes.`)
      return warning(
        `${counted(idle, 'transaction')} have been idle for ${IDLE_MINUTES} minutes or longer, of these processes: ${listed((pids ?? []).map(String))}.`,
        'End them with pg_terminate_backend: rows that they may still see can’t be cleaned up.',
      )
    },
  },
  {
    name: 'dead-rows',
    title: 'Dead rows',
    look: async ({ db }) => {
      const found = await rows<{ name: string; dead: number }>(db, BLOATED)
      if (found.length === 0) return ok('No table consists of them to a large part.')
      const tables = found.map(({ name, dead }) => `${name} (${dead.toLocaleString('en')})`)
      return warning(
        `A third or more of these tables are dead rows: ${listed(tables)}.`,
        'See that autovacuum runs and that no transaction stays open; then run: vacuum (analyze) of them.',
      )
    },
  },
  {
    name: 'indexes',
    title: 'Indexes',
    look: async ({ db }) => {
      const found = await rows<{ name: string; unique: boolean }>(db, INVALID_INDEXES)
      if (found.length === 0) return ok('All are valid.')
      const names = listed(found.map(({ name }) => name))
      const action =
        'Run for each: reindex index concurrently …; or drop those of tables that are not the engine’s.'
      if (found.some(({ unique }) => unique))
        return fault(`Not valid, so what has to be unique may not be: ${names}.`, action)
      return warning(`Not valid, so they cost writes and serve no search: ${names}.`, action)
    },
  },
  {
    name: 'transaction-ids',
    title: 'Age of transaction ids',
    look: async ({ db }) => {
      const { age } = one(
        await rows<{ age: number }>(
          db,
          sql`select age(datfrozenxid)::int as age from pg_database where datname = current_database()`,
        ),
      )
      const finding = `The oldest is ${age.toLocaleString('en')} transactions old; at 2,000,000,000 PostgreSQL accepts no changes.`
      const action =
        'See what keeps autovacuum from it (open transactions, replication slots), then run: vacuum freeze'
      if (age > 1_500_000_000) return fault(finding, action)
      return age > 600_000_000 ? warning(finding, action) : ok(finding)
    },
  },
]

/** Requests give up soon after. */
const WAITING_S = 1
const IDLE_MINUTES = 5

const WAITING: SQL = sql`
  select count(*)::int as waiting,
    coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0)::int as seconds,
    (select array_agg(distinct holder) from pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) holder
      where w.wait_event_type = 'Lock' and w.datname = current_database()) as holders
  from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
    and clock_timestamp() - query_start > make_interval(secs => ${WAITING_S})`

const IDLE_TRANSACTIONS: SQL = sql`
  select count(*)::int as idle, array_agg(pid) as pids from pg_stat_activity
  where state like 'idle in transaction%' and datname = current_database()
    and clock_timestamp() - state_change > make_interval(mins => ${IDLE_MINUTES})`

/** Half as many as the others: a third. What is smaller is of no weight. */
const BLOATED: SQL = sql`
  select relname as name, n_dead_tup::float8 as dead from pg_stat_user_tables
  where n_dead_tup > 20000 and n_dead_tup > n_live_tup / 2 order by n_dead_tup desc`

/** Beside those that are being built. */
const INVALID_INDEXES: SQL = sql`
  select c.relname as name, i.indisunique as unique
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where not i.indisvalid and c.relkind = 'i' and n.nspname !~ '^pg_'
    and not exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid)
  order by c.relname`
