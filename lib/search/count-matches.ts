import { type SQL, sql } from 'drizzle-orm'
import { around } from '@/lib/around'
import { joinPart, StatementCache, splitPart, valuesOfPart } from '@/lib/db/compiled-statement'
import { estimateRows } from '@/lib/db/planner'
import { readTexts } from '@/lib/db/read-texts'
import { type Db, one } from '@/lib/db/sql'
import type { TextRow } from '@/lib/db/text-read'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { countSql } from './page-sql'
import type { Resolved, ResolvedSearch } from './resolved'
import { fromSql, type Join } from './sql-terms'
import { whereSql } from './to-sql'

/**
 * What a statement says of a number of matches. `total` is a bigint as text, null where it is not known. `version` is that of
 * the tables in its snapshot, null where they have none. `pending`: how many changes of the first table were added up.
 */
export type TotalRow = { total: string | null; version: string | null; pending: number | null }

/** A query of one row, a `TotalRow` of its snapshot. */
export type TotalQuery = {
  /** Says everything on which its text depends, besides the table of the target: also the tables of conditions. */
  kind: string
  /** Whether it evaluates `count`. */
  counts: boolean
  /** `count`: the number of matches, as text. */
  build: (count: SQL) => SQL
  /** Of the placeholders in it. */
  values?: Readonly<Record<string, string>>
}

/** How statements learn a number of matches. They must not run inside a transaction. */
export type Total = {
  /** The next one where `read` returns null. */
  queries: TotalQuery[]
  /** The exact number, as text. Not null for the last query. */
  read: (row: TotalRow) => string | null
}

export type Matches = { target: SearchTarget } & Pick<ResolvedSearch, 'where' | 'joins'>

// Kept for the fields of a target, which stay the same object as long as its definition and its rule are the same.
const cache = new StatementCache<SearchTarget['fields']>()

/** The exact number of matching records. The statement is kept by the text of the conditions, as those of pages are. */
export async function countMatches(
  deps: Deps,
  target: SearchTarget,
  where: Resolved[],
  joins: Join[] = [],
): Promise<number> {
  const conditions = splitPart(whereSql(where))
  const used = where.length > 0 ? joins : []
  const row = await readTotal(deps, { target, where, joins }, async ({ kind, build, values }) => {
    const form = JSON.stringify([conditions.text, target.name, target.table, used, kind])
    const counted = () => countSql(target, joinPart(conditions, 'where'), used)
    const statement = cache.find(target.fields, form, () => build(counted()))
    const all = { ...valuesOfPart(conditions, 'where'), ...values }
    return totalOf(one(await readTexts(deps.db, statement, all)))
  })
  return Number(row.total)
}

/** What a row begins with that has its columns in this order. */
export const totalOf = ([total = null, version = null, pending]: TextRow): TotalRow => ({
  total,
  version,
  pending: pending ? Number(pending) : null,
})

/** Runs a statement with each query of the total of matches in turn, until one shows the total. */
export async function readTotal<Row extends TotalRow>(
  deps: Deps,
  matches: Matches,
  run: (query: TotalQuery) => Promise<Row>,
): Promise<Row & { total: string }> {
  const { queries, read } = await around(deps, 'total', matches, async () => COUNTED)
  for (const query of queries) {
    const row = await run(query)
    const total = read(row)
    if (total !== null) return { ...row, total }
  }
  throw new Error('The last statement returned no total')
}

const COUNTED: Total = {
  queries: [
    {
      kind: 'counted',
      counts: true,
      build: (count) =>
        sql`select ${count} as "total", null::text as "version", null::int as "pending"`,
    },
  ],
  read: ({ total }) => total,
}

/**
 * The planner's estimate of their number, and of the cost of finding them all.
 */
export async function explainMatches(
  db: Db,
  target: SearchTarget,
  where: Resolved[],
  joins: Join[] = [],
): Promise<{ count: number; cost: number }> {
  return estimateRows(db, sql`select from ${fromSql(target, joins)} where ${whereSql(where)}`)
}
