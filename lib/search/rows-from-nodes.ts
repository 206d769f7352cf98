import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql } from './joins'
import type { OrderPart } from './order'
import type { PageRow } from './page-sql'
import { DEEP_OFFSET, offsetOf, partsOf } from './page-sql'
import type { ResolvedSearch } from './resolved'
import { type KeyRow, type NodeWindow, nodeKeys, nodeRows, nodeRowsByKey } from './sql/node-rows'
import { whereSql } from './to-sql'

/**
 * The rows of a page of records on the nodes of a cluster, in order. A part of the order that does not fill the page is
 * followed by the next one, by a statement of its own.
 */
export async function rowsFromNodes(
  db: Db,
  target: SearchTarget,
  search: ResolvedSearch,
  limit: number,
): Promise<PageRow[]> {
  const found: PageRow[] = []
  let offset = offsetOf(search)
  const parts = partsOf(target, search)
  for (const [at, part] of parts.entries()) {
    const window = { part, limit: limit - found.length, offset }
    const read = await readWindow(db, target, search, window)
    found.push(...read)
    if (found.length === limit || at === parts.length - 1) return found
    const isPassed = offset === 0 || read.length > 0
    const passed = isPassed ? offset : await countPart(db, target, search, part)
    offset = Math.max(0, offset - passed)
  }
  return found
}

async function readWindow(
  db: Db,
  target: SearchTarget,
  search: ResolvedSearch,
  window: NodeWindow,
): Promise<PageRow[]> {
  if (window.offset < DEEP_OFFSET) return rows<PageRow>(db, nodeRows(target, search, window))
  const keys = await rows<KeyRow>(db, nodeKeys(target, search, window))
  return keys.length > 0 ? rows<PageRow>(db, nodeRowsByKey(target, search, keys)) : []
}

async function countPart(
  db: Db,
  target: SearchTarget,
  { where, joins }: ResolvedSearch,
  part: OrderPart,
): Promise<number> {
  const query = sql`select count(*)::float8 as total from ${fromSql(target, joins)}
    where ${whereSql(where)} and ${part.where}`
  return one(await rows<{ total: number }>(db, query)).total
}
