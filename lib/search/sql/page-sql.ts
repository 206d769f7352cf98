import { type SQL, sql } from 'drizzle-orm'
import { StatementCache } from '@/lib/db/compiled-statement'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql, type Join } from '@/lib/search/joins'
import { orderTerms } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { whereSql } from '@/lib/search/to-sql'
import { int, isDeep, offsetOf, type PageParts, type PageWindow, pageRows } from './page-rows'

/** A record as JSON text, and its position in the order (`Position` as JSON text). */
export type PageRow = { json: string; position: string }

// Kept for the fields of a target, which stay the same object as long as the definition is the same.
const cache = new StatementCache<SearchTarget['fields']>()

/**
 * A page of records, a row each. JSON is made after LIMIT, so skipped records cost no formatting. The
 * text around the conditions is made once for searches that differ in nothing else.
 */
export function pageSql(target: SearchTarget, search: ResolvedSearch, window: PageWindow): SQL {
  const { fields, sort, expand = [], joins = [], after } = search
  const parts = { where: whereSql(search.where), offset: int(offsetOf(search)) }
  if (after || expand.length > 0 || joins.length > 0) return build(target, search, window, parts)
  const place = [offsetOf(search) > 0, isDeep(search)]
  const kind = JSON.stringify([target.name, target.table, fields, sort, window, place])
  const page = () => build(target, search, window, PLACEHOLDERS)
  return cache.find(target.fields, kind, page).with(parts)
}

/**
 * Pages of several searches with the same fields and sort, none of them deep: `member` is the position of the
 * search in the list. Each of the rows has that of `total`, as in `pageWithTotalSql`.
 */
export function pagesTogetherSql(target: SearchTarget, list: ResolvedSearch[], total: SQL): SQL {
  const [first] = list
  if (!first) throw new Error('There is no search')
  const rows = list.map((search, at) => {
    const parts = { where: whereSql(search.where), offset: int(offsetOf(search)) }
    const page = pageRows(target, search, { limit: search.size, part: 'all' }, parts)
    return sql`(select ${sql.raw(String(at))} as "$member", * from (${page}) as "$row")`
  })
  const kind = `together ${JSON.stringify([target.name, target.table, first.fields, first.sort])}`
  const build =
    () => sql`select "$member" as "member", ${recordJson(target, first.fields)} as "json",
    ${positionJson(target, first)} as "position" from (${sql.placeholder('rows')}) as "$page"`
  const pages = cache.find(target.fields, kind, build)
  return pageWithTotalSql(pages.with({ rows: sql.join(rows, sql` union all `) }), total)
}

const PLACEHOLDERS: PageParts = {
  where: sql`${sql.placeholder('where')}`,
  offset: sql`${sql.placeholder('offset')}`,
}

function build(
  target: SearchTarget,
  search: ResolvedSearch,
  window: PageWindow,
  parts: PageParts,
): SQL {
  const expanded = { scope: '$page', expand: search.expand ?? [] }
  const json = recordJson(target, search.fields, expanded)
  return sql`select ${json} as "json", ${positionJson(target, search)} as "position" from (${pageRows(target, search, window, parts)}) as "$page"`
}

/**
 * A page, each of its rows with that of `total` from the same snapshot; one row with nulls for a page
 * without records.
 */
export const pageWithTotalSql = (page: SQL, total: SQL): SQL =>
  sql`select * from (${total}) as "$total" left join (${page}) as "$found" on true`

export function positionJson(target: SearchTarget, { sort }: ResolvedSearch): SQL {
  const texts = orderTerms(target, sort).map(({ value }) => sql`(${value})::text`)
  return sql`array_to_json(array[${sql.join(texts, sql`, `)}])::text`
}

/** The number of matches, as text: a scalar subquery. */
export const countSql = (target: SearchTarget, where: SQL, joins?: Join[]): SQL =>
  sql`(select count(*)::text from ${fromSql(target, joins)} where ${where})`
