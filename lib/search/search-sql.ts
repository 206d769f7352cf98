import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import { countSql, pageSql, pageWithTotalSql } from './page-sql'
import type { ResolvedSearch } from './resolved'
import { fromSql } from './sql-terms'
import { whereSql } from './to-sql'

/**
 * The statements of a search, to be planned: that of its page with the total that it counts, and one that finds
 * all matches.
 */
export function searchSql(
  target: SearchTarget,
  search: ResolvedSearch,
): { page: SQL; matching: SQL } {
  const where = whereSql(search.where)
  const matching = sql`select from ${fromSql(target, search.joins)} where ${where}`
  // The number of all records is known without counting.
  const isCounted = search.count === 'exact' && search.where.length > 0
  const page = pageSql(target, search, { limit: search.size, part: 'all' })
  if (!isCounted) return { page, matching }
  const total = sql`select ${countSql(target, where, search.joins)} as "total"`
  return { page: pageWithTotalSql(page, total), matching }
}
