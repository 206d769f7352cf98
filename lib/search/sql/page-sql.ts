import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql, type Join } from '@/lib/search/joins'
import { orderTerms } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { type PageWindow, pageRows } from './page-rows'

/** A record as JSON text, and its position in the order (`Position` as JSON text). */
export type PageRow = { json: string; position: string }

/** A page of records, a row each. JSON is made after LIMIT, so skipped records cost no formatting. */
export function pageSql(target: SearchTarget, search: ResolvedSearch, window: PageWindow): SQL {
  const expanded = { scope: '$page', expand: search.expand ?? [] }
  const json = recordJson(target, search.fields, expanded)
  return sql`select ${json} as "json", ${positionJson(target, search)} as "position" from (${pageRows(target, search, window)}) as "$page"`
}

/**
 * A page, each of its rows with that of `total` from the same snapshot; one row with nulls for a page
 * without records.
 */
export const pageWithTotalSql = (page: SQL, total: SQL): SQL =>
  sql`select * from (${total}) as "$total" left join (${page}) as "$found" on true`

function positionJson(target: SearchTarget, { sort }: ResolvedSearch): SQL {
  const texts = orderTerms(target, sort).map(({ value }) => sql`(${value})::text`)
  return sql`array_to_json(array[${sql.join(texts, sql`, `)}])::text`
}

/** The number of matches, as text: a scalar subquery. */
export const countSql = (target: SearchTarget, where: SQL, joins?: Join[]): SQL =>
  sql`(select count(*)::text from ${fromSql(target, joins)} where ${where})`
