import { sql } from 'drizzle-orm'
import { recordEventIds } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'

/** Of the log of changes at one moment. */
export type Horizon = {
  /** All transactions of this database with lower numbers have ended. */
  xid: bigint
  /** Greater than the number of every transaction that has ended. */
  end: bigint
  /** Of the counter of events, which moves before their transaction ends. */
  counter: string
}

/**
 * How far the log can be read by the next statement, so that nothing appears before it later. Transactions of other databases
 * of the server, which are in every snapshot, hold nobody up. One without an entry in `pg_locks` may be of this database: a
 * transaction has its number before it has its lock. One that is prepared has no process.
 */
export async function horizonOf(db: Db): Promise<Horizon> {
  const { xid, end, counter } = one(await rows<Record<keyof Horizon, string>>(db, HORIZON))
  return { xid: BigInt(xid), end: BigInt(end), counter }
}

const HORIZON = sql`
  with s as materialized (select pg_current_snapshot() as taken)
  select pg_snapshot_xmax(s.taken)::text as end, coalesce((
      select running.xid from pg_snapshot_xip(s.taken) as running(xid)
      where pg_xact_status(running.xid) = 'in progress' and not exists (
        select from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
        where l.locktype = 'transactionid' and l.transactionid = running.xid::xid and l.granted and l.mode = 'ExclusiveLock'
          and a.datname <> current_database())
        and not exists (select from pg_prepared_xacts as p where p.transaction = running.xid::xid and p.database <> current_database())
      order by running.xid limit 1), pg_snapshot_xmax(s.taken))::text as xid,
    (select last_value::text from engine.${sql.identifier(recordEventIds.seqName ?? '')}) as counter
  from s`

/** Whether a transaction that has written to the log is running, here or prepared. */
export async function isBeingWritten(db: Db): Promise<boolean> {
  return one(await rows<{ written: boolean }>(db, WRITTEN)).written
}

const WRITTEN = sql`
  select exists (select from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())
    and relation = 'engine.record_events'::regclass) as written`
