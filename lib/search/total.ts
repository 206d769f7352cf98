import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { compactWhenMany } from '@/lib/totals/compact-when-many'
import { keptTotal, type TotalRow, versionedTotal } from '@/lib/totals/current-total'
import { type KnownTotal, knownTotal, rememberTotal } from '@/lib/totals/known-totals'
import { type Join, readsNodes } from './joins'
import { countSql } from './page-sql'
import type { Resolved, ResolvedSearch } from './resolved'
import { whereSql } from './to-sql'

/** How statements learn a number of matches. They must not run inside a transaction. */
export type Total = {
  /** One row each, a `TotalRow` of the statement's snapshot: the next one where `read` returns null. */
  queries: SQL[]
  /** The exact number, as text. Not null for the last query. */
  read: (row: TotalRow) => string | null
}

/** The exact number of matches, counted only where it is not known. */
export function totalOf(
  deps: Deps,
  target: SearchTarget,
  { where, joins = [] }: Pick<ResolvedSearch, 'where' | 'joins'>,
): Total {
  const count = countSql(target, whereSql(where), where.length > 0 ? joins : [])
  const counted = sql`select ${count} as "total", null::text as "version", null::int as "pending"`
  // Tables of our own are small, and not watched; those of a cluster have no triggers.
  if (target.system) return { queries: [counted], read: ({ total }) => total }
  if (readsNodes(target, { joins })) return { queries: [counted], read: ({ total }) => total }
  if (where.length > 0) return rememberedTotal(deps, target, { where, joins }, count)
  return {
    queries: [keptTotal(target.table), counted],
    read: ({ total, pending }) => {
      compactWhenMany(deps, target.table, pending)
      return total
    },
  }
}

function rememberedTotal(
  deps: Deps,
  { table }: SearchTarget,
  { where, joins }: { where: Resolved[]; joins: Join[] },
  count: SQL,
): Total {
  const key = keyOfTotal(table, { where, joins })
  const known = knownTotal(deps, key)
  const tables = [table, ...joins.map((join) => join.table)]
  return {
    queries: known ? queriesOf(known, tables, count) : [versionedTotal(tables, count)],
    read: ({ total, version, pending }) => {
      compactWhenMany(deps, table, pending)
      const isSame = known !== undefined && version === known.version
      const shown = total ?? (isSame ? known.total : null)
      if (shown !== null && version !== null)
        rememberTotal(deps, key, { version, total: shown, isChanging: known && !isSame })
      return shown
    },
  }
}

/** A plan with a count is dearer to begin, so the count is only there where it is likely to be needed. */
const queriesOf = (known: KnownTotal, tables: TableName[], count: SQL): SQL[] =>
  known.isChanging
    ? [versionedTotal(tables, count, known.version)]
    : [versionedTotal(tables, sql`null::text`), versionedTotal(tables, count)]

// The conditions of a request are one object.
const keys = new WeakMap<Resolved[], string>()

/** What the total of conditions is remembered by. */
export function keyOfTotal(
  table: TableName,
  { where, joins = [] }: Pick<ResolvedSearch, 'where' | 'joins'>,
): string {
  const known = keys.get(where)
  if (known !== undefined) return known
  const text = JSON.stringify([table, where, joins])
  const key = createHash('sha256').update(text).digest('base64')
  keys.set(where, key)
  return key
}

/** Runs a statement with each query of the total in turn, until one shows the total. */
export async function readTotal<Row extends TotalRow>(
  { queries, read }: Total,
  run: (query: SQL) => Promise<Row>,
): Promise<Row & { total: string }> {
  for (const query of queries) {
    const row = await run(query)
    const total = read(row)
    if (total !== null) return { ...row, total }
  }
  throw new Error('The last statement returned no total')
}
