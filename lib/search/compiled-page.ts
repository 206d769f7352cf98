import { type SQL, sql } from 'drizzle-orm'
import {
  type CompiledStatement,
  joinPart,
  type SplitPart,
  StatementCache,
  valuesOfPart,
} from '@/lib/db/compiled-statement'
import type { SearchTarget } from '@/lib/registry/target'
import { KeptByOwner } from '@/lib/values/kept-by-owner'
import type { TotalQuery } from './count-matches'
import { formOfExpand } from './expansion-form'
import { FEW, fewPlacesSql, fewSql, hasPlaces, valuesOfPlaces } from './few-matches'
import {
  countSql,
  isDeep,
  offsetOf,
  type Paged,
  type PageWindow,
  pageOfSql,
  pageSql,
  pageWithTotalSql,
} from './page-sql'
import type { ResolvedSearch } from './resolved'
import { splitMade } from './split-made'

/** A statement whose text is made once for all searches of a form, and the values of one of them. */
export type CompiledPage = { statement: CompiledStatement; values: Record<string, string> }

/** `few`: all matches are taken first, and the page and their number are read from them. */
export type PageTotal = { query: TotalQuery; few: boolean }

// Kept for the fields of a target, which stay the same object as long as its definition and its rule are the same.
const cache = new StatementCache<SearchTarget['fields']>()

/**
 * A page of records, as `pageSql`, and with `total` as `pageWithTotalSql`. `where`: its conditions, which are rendered each time; their text
 * is a part of what the statement is kept by: no search is ever read by the statement of other conditions.
 */
export function compiledPage(
  target: SearchTarget,
  resolved: ResolvedSearch,
  where: SplitPart,
  window: PageWindow,
  total?: PageTotal,
): CompiledPage {
  const { search, made } = splitMade(resolved)
  const { after = [], joins = [] } = search
  const byPlaces = Boolean(total?.few) && hasPlaces(target, joins)
  const form = [byPlaces || where.text, formOf(target, search, window), total && formOfTotal(total)]
  const kind = `${JSON.stringify(form)} ${namesOf(target, search)}`
  const build = () => {
    const bound = after.map((value, at) => (value === null ? null : sql.placeholder(`after${at}`)))
    const paged: Paged = search.after ? { ...search, after: bound } : search
    const offset = sql`${sql.placeholder('offset')}::text::bigint`
    return pageOf(target, paged, window, { where: joinPart(where, 'where'), offset }, total)
  }
  const values = byPlaces ? valuesOfPlaces(target, where) : valuesOfPart(where, 'where')
  for (const [at, text] of after.entries()) values[`after${at}`] = text ?? ''
  values.offset = String(offsetOf(search))
  return {
    statement: cache.find(target.fields, kind, build),
    values: { ...values, ...made, ...total?.query.values },
  }
}

function pageOf(
  target: SearchTarget,
  search: Paged,
  window: PageWindow,
  parts: { where: SQL; offset: SQL },
  total: PageTotal | undefined,
): SQL {
  const { where, offset } = parts
  const { joins = [] } = search
  if (!total) return pageSql(target, search, window, parts)
  const { query, few } = total
  if (few) {
    const page = pageOfSql(target, search, FEW.source, offset)
    const matches = hasPlaces(target, joins) ? fewPlacesSql(target) : fewSql(target, where, joins)
    return sql`${matches} ${pageWithTotalSql(page, query.build(FEW.count))}`
  }
  const counted = countSql(target, where, search.where.length > 0 ? joins : [])
  const number = query.counts ? counted : sql`null::text`
  return pageWithTotalSql(pageSql(target, search, window, parts), query.build(number))
}

/** All on which the text depends, besides the conditions, the total, and `namesOf`. */
function formOf(target: SearchTarget, search: ResolvedSearch, window: PageWindow): unknown[] {
  const { size, joins = [], after } = search
  const place = after
    ? after.map((value) => value === null)
    : [offsetOf(search) > 0, isDeep(search)]
  const { name, table } = target
  return [name, table, window, size, joins, Boolean(after), place]
}

type Names = Pick<ResolvedSearch, 'fields' | 'sort' | 'expand'>

// Most searches of the same names have the same objects.
const known = new WeakMap<NonNullable<Names['expand']>, Names & { number: number }>()
const numbers = new KeptByOwner<SearchTarget['fields'], number>()
let lastNumber = 0

/** Identifies the names of a search: a number, or their text where it is not kept. */
function namesOf(target: SearchTarget, { fields, sort, expand = [] }: Names): number | string {
  const before = known.get(expand)
  if (before?.fields === fields && before.sort === sort) return before.number
  const text = JSON.stringify([fields, sort, formOfExpand(expand)])
  if (numbers.get(target.fields, text) === undefined) numbers.set(target.fields, text, ++lastNumber)
  const number = numbers.get(target.fields, text)
  if (number === undefined) return text
  known.set(expand, { fields, sort, number })
  return number
}

const formOfTotal = ({ query: { kind, counts }, few }: PageTotal) => [kind, counts, few]
