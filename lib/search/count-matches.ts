import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql, type Join } from './joins'
import type { Resolved } from './resolved'
import { countSql } from './sql/page-sql'
import { whereSql } from './to-sql'

/** The exact number of matching records. */
export async function countMatches(
  db: Db,
  target: SearchTarget,
  where: Resolved[],
  joins: Join[] = [],
): Promise<number> {
  const { total } = one(await rows<{ total: string }>(db, countSql(target, whereSql(where), joins)))
  return Number(total)
}

type Explained = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Total Cost': number } }] }

/**
 * The planner's estimate of their number, and of the cost of finding them all, in its units. Takes under
 * a millisecond; as good as the last ANALYZE.
 */
export async function explainMatches(
  db: Db,
  target: SearchTarget,
  where: Resolved[],
  joins: Join[] = [],
): Promise<{ count: number; cost: number }> {
  const query = sql`explain (format json) select from ${fromSql(target, joins)} where ${whereSql(where)}`
  const explained = one(await rows<Explained>(db, query))
  const { 'Plan Rows': count, 'Total Cost': cost } = explained['QUERY PLAN'][0].Plan
  return { count, cost }
}
