import { type SQL, sql } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { one, rows } from '@/lib/db/sql'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import { relationSql } from '@/lib/totals/keep-total'

/**
 * Adds the committed changes of a table to its base and removes them; total and version stay the
 * same in every snapshot. Does nothing while another process is at it. `relation` is an oid.
 */
export const compactTotal = (db: Db, relation: SQL): Promise<void> =>
  fold(db, relation, sql`case when changes = known then base + n end`)

/** Counts the table and makes that its base. Changes that are not committed yet are added later. */
export const recountTotal = (db: Db, relation: SQL, tableName: string): Promise<void> =>
  fold(db, relation, sql`(select count(*) from ${sql.raw(tableName)})`)

function fold(db: Db, relation: SQL, base: SQL): Promise<void> {
  return db.transaction(
    async (tx) => {
      const { last } = one(await rows<{ last: string }>(tx, LAST_ID))
      const lock = sql`select 1 from engine.entity_totals where relation = ${relation} for update skip locked`
      if ((await rows(tx, lock)).length === 0) return
      await tx.execute(foldSql(relation, base, last))
    },
    { isolationLevel: 'read committed' },
  )
}

/** Read before the transaction gets a number of its own, see `foldSql`. */
const LAST_ID = sql`select (last_value - (not is_called)::int)::text as last from engine.entity_total_changes_id_seq`

/**
 * Also raises `through`, below which readers need not look: removed rows stay in the index as long
 * as any transaction might see them. Every transaction that has noted a change up to `last` has a
 * number below that of this one; when all of those have ended, a later compaction has met the rest.
 */
const foldSql = (relation: SQL, base: SQL, last: string) => sql`
  with gone as (
    delete from engine.entity_total_changes where relation = ${relation} returning n
  ), changes as (
    select count(*) as changes, count(n) as known, coalesce(sum(n), 0)::bigint as n,
      pg_snapshot_xmin(pg_current_snapshot()) as oldest
    from gone
  )
  update engine.entity_totals set base = ${base}, compacted = compacted + changes,
    through = case when oldest >= next_xid then next_through else through end,
    next_through = case when oldest >= next_xid then ${last}::bigint else next_through end,
    next_xid = case when oldest >= next_xid then pg_current_xact_id() else next_xid end
  from changes where relation = ${relation}`

/** Adding up more changes takes readers noticeable time. */
const MAX_PENDING = 300
const MAX_MS = 60_000
/** The next attempt follows after this, since another process may be at it. */
const PAUSE_MS = 1_000

/** The tables that this process is compacting, or just has. */
const running = new Set<string>()

/** Compacts the changes of a table in the background when a reader has met many. */
export function compactWhenMany(deps: Deps, table: TableName, pending: number | null): void {
  const { db, log } = deps.primary ?? deps
  const name = `${table.schema}.${table.name}`
  if (pending === null || pending <= MAX_PENDING || running.has(name)) return
  running.add(name)
  withOwnBudget({ ms: MAX_MS }, () => compactTotal(db, sql`${relationSql(table)}::oid`))
    .catch((error) => log.warn({ table: name, error: messageOf(error) }, 'total not compacted'))
    .finally(() => setTimeout(() => running.delete(name), PAUSE_MS).unref())
}
