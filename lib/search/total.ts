import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { compactWhenMany } from '@/lib/totals/compact-when-many'
import { matchTotal, recordTotal, type TotalRow } from '@/lib/totals/current-total'
import { knownTotal, rememberTotal } from '@/lib/totals/known-totals'
import type { Join } from './joins'
import type { Resolved, ResolvedSearch } from './resolved'
import { countSql } from './sql/page-sql'
import { whereSql } from './to-sql'

/** How a statement learns a number of matches, and how it is read from the row. */
export type Total = {
  /** One row, a `TotalRow`, of the statement's snapshot. Must not run inside a transaction. */
  query: SQL
  /** The exact number, as text. */
  read: (row: TotalRow) => string
}

/** The exact number of matches, counted only where it is not known. */
export function totalOf(
  deps: Deps,
  target: SearchTarget,
  { where, joins = [] }: Pick<ResolvedSearch, 'where' | 'joins'>,
): Total {
  if (target.system) return countedTotal(target, where, joins)
  if (where.length > 0) return rememberedTotal(deps, target, where, joins)
  return {
    query: recordTotal(target.table, countSql(target, whereSql([]))),
    read: ({ total, pending }) => {
      compactWhenMany(deps, target.table, pending)
      return present(total)
    },
  }
}

/** Tables of our own are small, and not watched. */
const countedTotal = (target: SearchTarget, where: Resolved[], joins: Join[]): Total => ({
  query: sql`select ${countSql(target, whereSql(where), joins)} as "total", null::text as "version", null::int as "pending"`,
  read: ({ total }) => present(total),
})

function rememberedTotal(
  deps: Deps,
  target: SearchTarget,
  where: Resolved[],
  joins: Join[],
): Total {
  const key = createHash('sha256')
    .update(JSON.stringify([target.table, where, joins]))
    .digest('base64')
  const known = knownTotal(deps, key)
  const tables = [target.table, ...joins.map(({ table }) => table)]
  const count = countSql(target, whereSql(where), joins)
  return {
    query: matchTotal(tables, count, known?.version ?? ''),
    read: ({ total, version, pending }) => {
      compactWhenMany(deps, target.table, pending)
      if (total !== null && version !== null) rememberTotal(deps, key, { version, total })
      return present(total ?? known?.total ?? null)
    },
  }
}

function present(total: string | null): string {
  if (total === null) throw new Error('The statement returned no total')
  return total
}
