import { type SQL, sql } from 'drizzle-orm'
import type { Layer } from '@/lib/around'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { countMatches } from '@/lib/search/count-matches'
import { keyFields, type OrderPart, orderSql } from '@/lib/search/order'
import {
  DEEP_OFFSET,
  literal,
  offsetOf,
  type PageRow,
  partsOf,
  positionJson,
} from '@/lib/search/page-sql'
import type { PageRead } from '@/lib/search/points'
import type { FoundPage } from '@/lib/search/read-page'
import { recordJson } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { columnSql, fromSql, typedSql, valuesSql } from '@/lib/search/sql-terms'
import { readsNodes } from '@/lib/search/tables-read'
import { whereSql } from '@/lib/search/to-sql'

/** Pages of records on the nodes of a cluster are merged from what each node sorts and limits itself. */
export const clusterPages: Layer = {
  name: 'cluster-pages',
  around: {
    readPage: (deps, read, next) =>
      readsNodes(read.target, read.search) ? readFromNodes(deps, read) : next(deps),
  },
}

/** The page and the total are of moments apart: the nodes of a cluster have no snapshot in common. */
async function readFromNodes(
  deps: Deps,
  { target, search, withTotal }: PageRead,
): Promise<FoundPage> {
  const limit = withTotal && !search.after ? search.size : search.size + 1
  const [found, total] = await Promise.all([
    rowsFromNodes(deps.db, target, search, limit),
    withTotal ? countMatches(deps, target, search.where, search.joins) : null,
  ])
  return { found, total: total === null ? null : String(total), version: null }
}

/**
 * The rows of a page of records on the nodes of a cluster, in order. A part of the order that does not fill the page is
 * followed by the next one, by a statement of its own.
 */
async function rowsFromNodes(
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

/** The key of a record: its parts as texts. */
type KeyRow = { key: string[] }

type NodeWindow = { part: OrderPart; limit: number; offset: number }

const ROW = '$page'

/**
 * Statements for records on the nodes of a cluster. Each node sorts and limits its own records, and the results are
 * merged: that needs one level, whose limits are no parameters.
 */
const nodeRows = (target: SearchTarget, search: ResolvedSearch, window: NodeWindow): SQL =>
  sql`select ${recordOf(target, search)} ${windowSql(target, search, window)}`

/** The keys alone: what is skipped is sent to the coordinator too. */
function nodeKeys(target: SearchTarget, search: ResolvedSearch, window: NodeWindow): SQL {
  const parts = keyFields(target).map((field) => sql`(${columnSql(field)})::text`)
  return sql`select json_build_array(${sql.join(parts, sql`, `)}) as "key" ${windowSql(target, search, window)}`
}

/** The records with these keys. */
const nodeRowsByKey = (target: SearchTarget, search: ResolvedSearch, keys: KeyRow[]): SQL =>
  sql`select ${recordOf(target, search)} from ${fromSql(target, search.joins, { as: ROW })}
    where ${hasKey(target, keys)} order by ${orderSql(target, search.sort)}`

function recordOf(target: SearchTarget, search: ResolvedSearch): SQL {
  const expanded = { scope: ROW, expand: search.expand ?? [] }
  const json = recordJson(target, search.fields, expanded)
  return sql`${json} as "json", ${positionJson(target, search)} as "position"`
}

const windowSql = (
  target: SearchTarget,
  { where, joins }: ResolvedSearch,
  { part, limit, offset }: NodeWindow,
): SQL => sql`from ${fromSql(target, joins, { as: ROW })} where ${whereSql(where)} and ${part.where}
    order by ${part.order} limit ${literal(limit)}${offset > 0 ? sql` offset ${literal(offset)}` : sql``}`

function hasKey(target: SearchTarget, keys: KeyRow[]): SQL {
  const fields = keyFields(target)
  const [only] = fields
  const type = (kind: Kind) => KINDS[kind].comparedAs
  if (fields.length === 1 && only)
    return sql`${columnSql(only)} = any(${valuesSql(
      type(only.kind),
      keys.map(({ key }) => key[0] ?? ''),
    )})`
  const columns = sql.join(fields.map(columnSql), sql`, `)
  const rows = keys.map(({ key }) => {
    const values = fields.map(({ kind }, at) => typedSql(type(kind), key[at] ?? ''))
    return sql`(${sql.join(values, sql`, `)})`
  })
  return sql`(${columns}) in (${sql.join(rows, sql`, `)})`
}
