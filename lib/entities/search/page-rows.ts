import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { SearchTarget } from '@/lib/entities/target'
import { keyFields, orderSql, type SplitOrder, splitOrder } from './order'
import type { ResolvedSearch } from './resolved'
import { whereSql } from './to-sql'

/** From here on the skipped records are passed by in the index alone, and rows are fetched by key. */
const DEEP_OFFSET = 1000

/** The rows of a page, all columns of each, in order. */
export function pageRows(target: SearchTarget, search: ResolvedSearch, limit: number): SQL {
  const offset = search.page * search.size
  const order = orderSql(target, search.sort)
  const split = splitOrder(target, search.sort)
  const byKey = offset >= DEEP_OFFSET && keyFields(target).every(({ expression }) => !expression)
  const columns = byKey ? keyList(target) : sql`*`
  const rows = split
    ? splitRows(target, search, split, columns, limit, offset)
    : sql`select ${columns} from ${tableSql(target.table)} where ${whereSql(search.where)} order by ${order} ${window(limit, offset)}`
  if (byKey)
    return sql`select "$row".* from (${rows}) as "$key" join ${tableSql(target.table)} as "$row" using (${keyList(target)}) order by ${order}`
  return split ? sql`select * from (${rows}) as "$row" order by ${order}` : rows
}

const keyList = (target: SearchTarget) =>
  sql.join(
    keyFields(target).map(({ column }) => sql.identifier(column)),
    sql`, `,
  )

/** The second part is read as far as the first one leaves room; its offset counts from its own start. */
function splitRows(
  target: SearchTarget,
  { where }: ResolvedSearch,
  { column, filled, empty }: SplitOrder,
  columns: SQL,
  limit: number,
  offset: number,
): SQL {
  const matching = sql`from ${tableSql(target.table)} where ${whereSql(where)} and ${column}`
  const found = sql`(select count(*) from "$filled")`
  const passed = sql`(select count(*) ${matching} is not null)`
  return sql`
    with "$filled" as materialized (
      select ${columns} ${matching} is not null order by ${filled} ${window(limit, offset)}
    ), "$empty" as materialized (
      select ${columns} ${matching} is null order by ${empty}
      limit ${int(limit)} - ${found}
      offset case when ${found} = 0 then greatest(0, ${int(offset)} - ${passed}) else 0 end
    )
    select * from "$filled" union all select * from "$empty"`
}

const window = (limit: number, offset: number) => sql`limit ${int(limit)} offset ${int(offset)}`

/** A bound whole number. */
export const int = (value: number) => sql`${String(value)}::text::bigint`
