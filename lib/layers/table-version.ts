import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SharedReading } from '@/lib/async/shared-reading'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { type Db, one, rows } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import type { TotalQuery, TotalRow } from '@/lib/search/count-matches'
import { relationSql } from '@/lib/totals/keep-total'

type Reading = SharedReading<string | null>

/** Waiting for a version must not take longer than what it may save. */
const MAX_MS = 2_000

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & {
  __engineVersions?: WeakMap<Deps, Map<string, Reading>>
}
shared.__engineVersions ??= new WeakMap()
const readings = shared.__engineVersions

/**
 * The version of tables in a snapshot from after this call; null where it is not known. Concurrent
 * calls share one statement. Must not run inside a transaction. Throws when the database does not
 * respond.
 */
export async function currentVersion(
  deps: Deps,
  tables: readonly TableName[],
): Promise<string | null> {
  const known = readings.get(deps) ?? new Map<string, Reading>()
  readings.set(deps, known)
  const key = JSON.stringify(tables)
  const reading = known.get(key) ?? new SharedReading(() => readVersion(deps, tables))
  known.set(key, reading)
  try {
    return await reading.get()
  } finally {
    if (reading.isIdle) known.delete(key)
  }
}

async function readVersion(deps: Deps, tables: readonly TableName[]): Promise<string | null> {
  const [first] = tables
  const query = versionedTotal(tables, sql`null::text`)
  const { request } = currentBudget()
  // Several requests wait for it, so the client of one must not end it.
  const found = await withOwnBudget({ ms: MAX_MS, request }, () => rows<TotalRow>(deps.db, query))
  const { version, pending } = one(found)
  if (first) compactWhenMany(deps, first, pending)
  return version
}

/** One row: the kept total of a table. */
export const keptTotal = (table: TableName): TotalQuery => ({
  kind: 'kept',
  counts: false,
  build: () =>
    sql`select total as "total", version as "version", pending as "pending" from engine.total_of(${relationSql(table)})`,
})

/**
 * One row: `total`, an expression, and the version of the tables that it depends on. With `unless` it is only
 * evaluated when the version is another one, and otherwise null.
 */
export function versionedTotal(
  tables: readonly TableName[],
  total: SQL,
  unless: SQLWrapper | null = null,
): SQL {
  const names = tables.map((_, at) => sql.identifier(`kept${at}`))
  const kept = tables.map(
    (table, at) => sql`engine.total_of(${relationSql(table)}) as ${names[at]}`,
  )
  const versions = names.map((name) => sql`${name}.version`)
  const version = sql.join(versions, sql` || ' ' || `)
  const wanted =
    unless === null
      ? total
      : sql`case when ${version} is distinct from ${unless}::text then ${total} end`
  return sql`
    select ${wanted} as "total", ${version} as "version", ${names[0]}.pending as "pending"
    from ${sql.join(kept, sql`, `)}`
}

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
  with removed as (
    delete from engine.entity_total_changes where relation = ${relation} returning n
  ), changes as (
    select count(*) as changes, count(n) as known, coalesce(sum(n), 0)::bigint as n,
      pg_snapshot_xmin(pg_current_snapshot()) as oldest
    from removed
  )
  update engine.entity_totals set base = ${base}, compacted = compacted + changes,
    through = case when oldest >= next_xid then next_through else through end,
    next_through = case when oldest >= next_xid then ${last}::bigint else next_through end,
    next_xid = case when oldest >= next_xid then pg_current_xact_id() else next_xid end
  from changes where relation = ${relation}`

/** Adding up more changes takes readers noticeable time. */
const MAX_PENDING = 300
const COMPACTION_MS = 60_000
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
  withOwnBudget({ ms: COMPACTION_MS }, () => compactTotal(db, sql`${relationSql(table)}::oid`))
    .catch((error) => log.warn({ table: name, error: messageOf(error) }, 'total not compacted'))
    .finally(() => setTimeout(() => running.delete(name), PAUSE_MS).unref())
}
