import { sql } from 'drizzle-orm'
import { isLockTimeout } from '@/lib/db/errors'
import { eventLog } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { makeLog } from './read-log'

/** Makes the partitions of the next days. Run often enough, events never have to go into the one of the rest. */
export const prepareEventDays = ({ db }: Pick<Deps, 'db'>) =>
  db.execute(sql`select engine.prepare_event_days()`)

type Partition = { name: string; day: string | null; bytes: number }

/**
 * Empties and drops the days of events older than EVENTS_DAYS, and the oldest ones of more than EVENTS_MAX_BYTES in all. Cursors
 * before what was dropped are refused from then on. Returns how many days were dropped.
 */
export async function sweepEvents({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<number> {
  const { EVENTS_DAYS: days, EVENTS_MAX_BYTES: most } = settings
  const partitions = await rows<Partition>(db, PARTITIONS)
  const { oldest, today } = one(await rows<{ oldest: string; today: string }>(db, daysSql(days)))
  let bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0)
  let swept = 0
  for (const { name, day, bytes: size } of partitions) {
    const isExpired = day !== null && day < oldest
    if (!isExpired && bytes <= most) continue
    if (size === 0 && !isExpired) continue
    if (!(await empty(db, name))) break // what is newer is not dropped before it
    if (day !== null && day < today) await drop(db, name)
    bytes -= size
    swept += 1
  }
  return swept
}

/** The oldest first; last the one of the rest, which has no day. */
const PARTITIONS = sql`
  select c.relname as name, substring(c.relname from '[0-9]{8}$') as day,
    case when pg_relation_size(c.oid) = 0 then 0 else pg_total_relation_size(c.oid) end::float8 as bytes
  from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
  where i.inhparent = 'engine.record_events'::regclass order by day nulls last`

const daysSql = (days: number) => sql`
  select to_char((now() at time zone 'UTC')::date - ${days}::int, 'YYYYMMDD') as oldest,
    to_char((now() at time zone 'UTC')::date, 'YYYYMMDD') as today`

/** In the transaction that says up to where: no reader misses what is deleted. False where somebody has it locked: a later sweep empties it. */
const empty = (db: Db, partition: string): Promise<boolean> =>
  unlessLocked(db, async (tx) => {
    const table = sql`engine.${sql.identifier(partition)}`
    await makeLog(tx)
    await tx.execute(sql`lock table ${table} in access exclusive mode`)
    await tx.execute(sql`
      update ${eventLog} set expired = (
        select xid from (select expired as xid from ${eventLog} union all select xid from ${table}) as x
        order by xid desc limit 1)`)
    await tx.execute(sql`truncate ${table}`)
  })

/** What a long transaction keeps from being dropped is empty, and dropped by a later sweep. */
const drop = (db: Db, partition: string): Promise<boolean> =>
  unlessLocked(db, (tx) => tx.execute(sql`drop table engine.${sql.identifier(partition)}`))

/** Whoever writes or reads events queues behind what waits for a lock: so it waits for a moment. */
async function unlessLocked(db: Db, work: (tx: Db) => Promise<unknown>): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = ${sql.raw(String(LOCK_MS))}`)
      await work(tx)
    })
    return true
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return false
  }
}

const LOCK_MS = 100
