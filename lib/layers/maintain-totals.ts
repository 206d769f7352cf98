import { sql } from 'drizzle-orm'
import { type Db, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import { compactTotal, recountTotal } from './table-version'

type Source = Pick<Deps, 'db' | 'locks' | 'log'>
type CountedTable = { oid: string; name: string }

/**
 * Makes sure that totals are kept of all entities' tables, compacts them, and counts those that are not
 * known. One process at a time; until then, requests count such tables themselves.
 */
export async function maintainTotals(deps: Source): Promise<void> {
  try {
    await deps.locks.hold('maintain-totals', 0, () => maintain(deps))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
  }
}

async function maintain({ db, log }: Source): Promise<void> {
  const each = async (tables: CountedTable[], work: (table: CountedTable) => Promise<unknown>) => {
    for (const table of tables)
      await work(table).catch((error) =>
        log.warn({ table: table.name, error: messageOf(error) }, 'total not maintained'),
      )
  }
  await db.execute(FORGET_DISABLED)
  await each(await rows(db, UNKEPT), ({ oid }) => keep(db, oid))
  await each(await rows(db, CHANGED), ({ oid }) => compactTotal(db, sql`${oid}::oid`))
  await each(await rows(db, UNCOUNTED), ({ oid, name }) => recountTotal(db, sql`${oid}::oid`, name))
  for (const table of ['entity_totals', 'entity_total_changes'])
    await db.execute(
      sql`delete from engine.${sql.raw(table)} where not exists (select 1 from pg_class where oid = relation)`,
    )
}

/** Writers that come while this waits for earlier ones wait too, so it gives up soon until the next round. */
const LOCK_TIMEOUT_MS = 200

const keep = (db: Db, oid: string) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = ${sql.raw(String(LOCK_TIMEOUT_MS))}`)
    await tx.execute(sql`select engine.keep_total(${oid}::oid::regclass, null)`)
  })

/** Of these, nothing is known while somebody keeps them disabled. */
const DISABLED = sql`
  select tgrelid from pg_trigger where tgname like 'engine\\_total\\_%' and tgenabled in ('D', 'R')`

const FORGET_DISABLED = sql`delete from engine.entity_totals where relation in (${DISABLED})`

/** Tables of entities without our triggers, or whose triggers were changed since. */
const UNKEPT = sql`
  select c.oid::text as oid, c.oid::regclass::text as name
  from engine.entities e
  join pg_namespace n on n.nspname = e.table_schema
  join pg_class c on c.relnamespace = n.oid and c.relname = e.table_name and c.relkind = 'r'
  left join engine.entity_totals t on t.relation = c.oid
  where t.triggers is distinct from engine.total_triggers(c.oid) and c.oid not in (${DISABLED})`

const CHANGED = sql`
  select relation::oid::text as oid, relation::text as name from engine.entity_totals t
  where exists (select 1 from engine.entity_total_changes c where c.relation = t.relation)`

const UNCOUNTED = sql`
  select t.relation::oid::text as oid, t.relation::text as name
  from engine.entity_totals t join pg_class on oid = relation where base is null`
