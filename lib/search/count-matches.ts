import { sql } from 'drizzle-orm'
import { estimateRows } from '@/lib/db/planner'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import type { TotalRow } from '@/lib/totals/current-total'
import { fromSql, type Join } from './joins'
import type { Resolved } from './resolved'
import { whereSql } from './to-sql'
import { readTotal, totalOf } from './total'

/** The exact number of matching records. */
export async function countMatches(
  deps: Deps,
  target: SearchTarget,
  where: Resolved[],
  joins: Join[] = [],
): Promise<number> {
  const found = totalOf(deps, target, { where, joins })
  const row = await readTotal(found, async (query) => one(await rows<TotalRow>(deps.db, query)))
  return Number(row.total)
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
