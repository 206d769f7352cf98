import { type SQL, sql } from 'drizzle-orm'
import { SharedReading } from '@/lib/async/shared-reading'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { one, rows } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { TotalRow } from '@/lib/search/count-matches'
import { relationSql } from '@/lib/totals/keep-total'
import { compactWhenMany } from './compact-total'

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
export const keptTotal = (table: TableName): SQL =>
  sql`select total as "total", version as "version", pending as "pending" from engine.total_of(${relationSql(table)})`

/**
 * One row: `total`, an expression, and the version of the tables that it depends on. With `unless` it is only
 * evaluated when the version is another one, and otherwise null.
 */
export function versionedTotal(
  tables: readonly TableName[],
  total: SQL,
  unless: string | null = null,
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
