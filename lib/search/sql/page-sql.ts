import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql, type Join } from '@/lib/search/joins'
import { orderTerms } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { int, pageRows } from './page-rows'

/**
 * `data` is the text of an array; `position` is the position at the end of a full page (`Position` as
 * JSON text).
 */
export type PageRow = { returned: number; more: boolean; position: string | null; data: string }

/**
 * A page of records. Without `withTotal`, and after a cursor, one more record is read to learn whether
 * there is `more`. JSON is made after LIMIT, so skipped records cost no formatting.
 */
export function pageSql(target: SearchTarget, search: ResolvedSearch, withTotal: boolean): SQL {
  const { size, after } = search
  const expanded = { scope: '$numbered', expand: search.expand ?? [] }
  const limit = withTotal && !after ? size : size + 1
  return sql`
    select least(count(*), ${int(size)})::int as "returned",
      count(*) > ${int(size)} as "more",
      max("$position") as "position",
      '[' || coalesce(string_agg("$json", ',') filter (where "$n" <= ${int(size)}), '') || ']' as "data"
    from (
      select ${recordJson(target, search.fields, expanded)} as "$json", "$n",
        case when "$n" = ${int(size)} then ${positionJson(target, search)} end as "$position"
      from (select *, row_number() over () as "$n" from (${pageRows(target, search, limit)}) as "$page") as "$numbered"
    ) as "$records"`
}

/** A page, together with the row of `total` from the same snapshot. */
export const pageWithTotalSql = (target: SearchTarget, search: ResolvedSearch, total: SQL): SQL =>
  sql`select * from (${total}) as "$total", (${pageSql(target, search, true)}) as "$found"`

/** The record's position in the order. */
function positionJson(target: SearchTarget, { sort }: ResolvedSearch): SQL {
  const texts = orderTerms(target, sort).map(({ value }) => sql`(${value})::text`)
  return sql`array_to_json(array[${sql.join(texts, sql`, `)}])::text`
}

/** The number of matches, as text: a scalar subquery. */
export const countSql = (target: SearchTarget, where: SQL, joins?: Join[]): SQL =>
  sql`(select count(*)::text from ${fromSql(target, joins)} where ${where})`
