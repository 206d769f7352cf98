import { type SQL, sql } from 'drizzle-orm'
import { StatementCache } from '@/lib/db/compiled-statement'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields, type OrderPart, orderParts, orderSql, orderTerms } from './order'
import { type BoundPosition, partsAfter } from './order-after'
import { recordJson, recordsFrom } from './record-json'
import type { ResolvedSearch } from './resolved'
import { fromSql, type Join } from './sql-terms'
import { whereSql } from './to-sql'

/** A record as JSON text, and its position in the order (`Position` as JSON text), at least of the last of a full page. */
export type PageRow = { json: string; position: string }

/** `after`: may be of a compiled statement. */
export type Paged = Omit<ResolvedSearch, 'after'> & { after?: BoundPosition }

// Kept for the fields of a target, which stay the same object as long as the definition is the same.
const cache = new StatementCache<SearchTarget['fields']>()

/** A page of records, a row each. JSON is made after LIMIT, so skipped records cost no formatting. */
export const pageSql = (
  target: SearchTarget,
  search: Paged,
  window: PageWindow,
  parts: PageParts = partsOfPage(search),
): SQL => formedSql(target, search, pageRows(target, search, window, parts))

/**
 * Pages of several searches with the same fields and sort, none of them deep: `member` is the position of the
 * search in the list. Each of the rows has that of `total`, as in `pageWithTotalSql`.
 */
export function pagesTogetherSql(target: SearchTarget, list: ResolvedSearch[], total: SQL): SQL {
  const [first] = list
  if (!first) throw new Error('There is no search')
  const rows = list.map((search, at) => {
    const page = pageRows(target, search, { limit: search.size, part: 'all' }, partsOfPage(search))
    return sql`(select ${sql.raw(String(at))} as "$member", * from (${page}) as "$row")`
  })
  const kind = JSON.stringify([target.name, target.table, first.fields, first.sort])
  const build =
    () => sql`select "$member" as "member", ${recordJson(target, first.fields)} as "json",
    ${positionJson(target, first)} as "position" from (${sql.placeholder('rows')}) as "$page"`
  const pages = cache.find(target.fields, kind, build)
  return pageWithTotalSql(pages.with({ rows: sql.join(rows, sql` union all `) }), total)
}

const partsOfPage = (search: Paged): PageParts => ({
  where: whereSql(search.where),
  offset: int(offsetOf(search)),
})

/** The rows as JSON with their positions. */
function formedSql(target: SearchTarget, search: Paged, rows: SQL): SQL {
  const expanded = { scope: '$page', expand: search.expand ?? [] }
  const { json, from } = recordsFrom(target, search.fields, expanded, sql`(${rows}) as "$page"`)
  return sql`select ${json} as "json", ${lastPosition(target, search)} as "position" from ${from}`
}

/** Of the last record of a full page, the only one whose position is asked for. Nodes of a cluster don't number their rows together. */
const lastPosition = (target: SearchTarget, search: Paged): SQL =>
  target.isDistributed
    ? positionJson(target, search)
    : sql`case row_number() over () when ${literal(search.size)} then ${positionJson(target, search)} end`

/**
 * A page, each of its rows with that of `total` from the same snapshot; one row with nulls for a page
 * without records.
 */
export const pageWithTotalSql = (page: SQL, total: SQL): SQL =>
  sql`select * from (${total}) as "$total" left join (${page}) as "$found" on true`

/** A page of rows that are there already, in `source`: none of them are deep. */
export function pageOfSql(target: SearchTarget, search: Paged, source: SQL, offset: SQL): SQL {
  const skip = offsetOf(search) > 0 ? sql` offset ${offset}` : sql``
  const order = orderSql(target, search.sort)
  return formedSql(
    target,
    search,
    sql`select * from ${source} order by ${order} limit ${literal(search.size)}${skip}`,
  )
}

export function positionJson(target: SearchTarget, { sort }: Pick<ResolvedSearch, 'sort'>): SQL {
  const texts = orderTerms(target, sort).map(({ value }) => sql`(${value})::text`)
  return sql`array_to_json(array[${sql.join(texts, sql`, `)}])::text`
}

/** The number of matches, as text: a scalar subquery. */
export const countSql = (target: SearchTarget, where: SQL, joins?: Join[]): SQL =>
  sql`(select count(*)::text from ${fromSql(target, joins)} where ${where})`

/** From this offset on, records are skipped in the index alone, and rows are fetched by key. */
export const DEEP_OFFSET = 1000

/** `part`: `first` leaves out what follows the first part of the order. */
export type PageWindow = { limit: number; part: 'first' | 'all' }

/** What of a page may differ between statements of one text: the conditions, and a bound offset. */
export type PageParts = { where: SQL; offset: SQL }

export const offsetOf = ({ after, page, size }: Paged): number => (after ? 0 : page * size)

/** Whether the page is so deep that records are skipped by key. */
export const isDeep = (search: Paged): boolean => offsetOf(search) >= DEEP_OFFSET

export const partsOf = (target: SearchTarget, { after, sort }: Paged): OrderPart[] =>
  after ? partsAfter(orderTerms(target, sort), after) : orderParts(target, sort)

/** The rows of a page, all columns of each, in order. */
function pageRows(
  target: SearchTarget,
  search: Paged,
  { limit, part }: PageWindow,
  input: PageParts,
): SQL {
  const { sort } = search
  const order = orderSql(target, sort)
  const parts = partsOf(target, search).slice(0, part === 'first' ? 1 : 2)
  const byKey = isDeep(search) && keyFields(target).every(({ expression }) => !expression)
  const columns = byKey ? keyList(target) : sql`*`
  const rows = partRows(target, search, parts, columns, limit, input)
  if (byKey)
    return sql`select * from (${rows}) as "$key" join ${fromSql(target, search.joins, { using: keyList(target) })} order by ${order}`
  return parts.length > 1 ? sql`select * from (${rows}) as "$row" order by ${order}` : rows
}

const keyList = (target: SearchTarget) =>
  sql.join(
    keyFields(target).map(({ column }) => sql.identifier(column)),
    sql`, `,
  )

/** The second part fills the rest of the page; its offset counts from its own start. */
function partRows(
  target: SearchTarget,
  search: Paged,
  [filled, empty]: OrderPart[],
  columns: SQL,
  limit: number,
  { where, offset }: PageParts,
): SQL {
  if (!filled) throw new Error('An order has no part')
  const matching = sql`from ${fromSql(target, search.joins)} where ${where} and`
  const isLater = offsetOf(search) > 0
  const skip = isLater ? sql` offset ${offset}` : sql``
  const whole = sql`select ${columns} ${matching} ${filled.where} order by ${filled.order} limit ${literal(limit)}${skip}`
  if (!empty) return whole
  const found = sql`(select count(*) from "$filled")`
  const passed = sql`(select count(*) ${matching} ${filled.where})`
  const skipped = sql` offset case when ${found} = 0 then greatest(0, ${offset} - ${passed}) else 0 end`
  return sql`
    with "$filled" as materialized (${whole}), "$empty" as materialized (
      select ${columns} ${matching} ${empty.where} order by ${empty.order}
      limit ${literal(limit)} - ${found}${isLater ? skipped : sql``}
    )
    select * from "$filled" union all select * from "$empty"`
}

/**
 * Not bound: for a bound limit, the planner expects a tenth of the table, finds its generic plan too
 * expensive, and plans a prepared statement each time.
 */
export const literal = (value: number) => sql.raw(String(value))

/** A bound whole number. */
const int = (value: number) => sql`${String(value)}::text::bigint`
