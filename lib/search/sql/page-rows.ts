import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql } from '@/lib/search/joins'
import { keyFields, type OrderPart, orderParts, orderSql, orderTerms } from '@/lib/search/order'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { partsAfter } from './order-after'

/** From this offset on, records are skipped in the index alone, and rows are fetched by key. */
export const DEEP_OFFSET = 1000

/** `part`: `first` leaves out what follows the first part of the order. */
export type PageWindow = { limit: number; part: 'first' | 'all' }

/** What of a page may differ between statements of one text: the conditions, and a bound offset. */
export type PageParts = { where: SQL; offset: SQL }

export const offsetOf = ({ after, page, size }: ResolvedSearch): number => (after ? 0 : page * size)

/** Whether the page is so deep that records are skipped by key. */
export const isDeep = (search: ResolvedSearch): boolean => offsetOf(search) >= DEEP_OFFSET

/** Whether the order has a second part, which is only needed when the first does not fill the page. */
export const hasParts = (target: SearchTarget, search: ResolvedSearch): boolean =>
  partsOf(target, search).length > 1

export const partsOf = (target: SearchTarget, { after, sort }: ResolvedSearch): OrderPart[] =>
  after ? partsAfter(orderTerms(target, sort), after) : orderParts(target, sort)

/** The rows of a page, all columns of each, in order. */
export function pageRows(
  target: SearchTarget,
  search: ResolvedSearch,
  { limit, part }: PageWindow,
  given: PageParts,
): SQL {
  const { sort } = search
  const order = orderSql(target, sort)
  const parts = partsOf(target, search).slice(0, part === 'first' ? 1 : 2)
  const byKey = isDeep(search) && keyFields(target).every(({ expression }) => !expression)
  const columns = byKey ? keyList(target) : sql`*`
  const rows = partRows(target, search, parts, columns, limit, given)
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
  search: ResolvedSearch,
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
export const int = (value: number) => sql`${String(value)}::text::bigint`
