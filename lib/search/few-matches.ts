import { type SQL, sql } from 'drizzle-orm'
import { type SplitPart, splitPart, withElements } from '@/lib/db/compiled-statement'
import { MAY_TAKE_LONG } from '@/lib/db/prepared-statements'
import type { SearchTarget } from '@/lib/registry/target'
import { isDeep } from './page-sql'
import type { ResolvedSearch } from './resolved'
import { arrayText, fromSql, type Join } from './sql-terms'

/** So many matches are kept while a statement runs. */
const MAX_FEW = 2_000
/** After more than that, the same form of conditions is counted so often before it is tried again. */
const RETRY_AFTER = 20

const NAME = sql.raw('"$matches"')

/** The rows that match, in place of the table. */
export const FEW: Few = {
  source: NAME,
  count: sql`(select case when count(*) > ${sql.raw(String(MAX_FEW))} then 'many' else count(*)::text end from ${NAME})`,
}

/** `count`: their number as text, or `many`. */
type Few = { source: SQL; count: SQL }

const LIMIT = sql.raw(String(MAX_FEW + 1))

/** All matches, each condition tested once, unless there are many. */
export const fewSql = (target: SearchTarget, where: SQL, joins?: Join[]): SQL =>
  sql`with ${NAME} as materialized (select * from ${fromSql(target, joins)} where ${where} limit ${LIMIT})`

/**
 * The same for any conditions on a table of its own: the database finds the places of the rows by a query that is planned
 * for its values, and the statement around it is planned once: in a subquery, since the planner would run the function for an estimate.
 * Its placeholders get `valuesOfPlaces`.
 */
export const fewPlacesSql = (target: SearchTarget): SQL =>
  sql`with ${NAME} as materialized (${MAY_TAKE_LONG}
    select * from ${fromSql(target)}
    where ctid = any((select engine.matching_rows(${sql.placeholder('query')}::text, ${sql.placeholder('values')}::text[]))::tid[]))`

/** Whether rows have places: not on the nodes of a cluster, nor in views. */
export const hasPlaces = (target: SearchTarget, joins: readonly Join[]): boolean =>
  !target.system && !target.isDistributed && joins.length === 0

export function valuesOfPlaces(target: SearchTarget, where: SplitPart): Record<string, string> {
  const { text } = splitPart(fromSql(target))
  const query = `select array(select ctid from ${text} where ${withElements(where.text)} limit ${MAX_FEW + 1})`
  return { query, values: arrayText(where.values) }
}

/**
 * How often each form of conditions, which is their text without values, is to be counted before it may have few matches
 * again; for the fields of a target.
 */
const pauses = new WeakMap<SearchTarget['fields'], Map<string, number>>()
const MAX_FORMS = 500
/** A longer text is not kept. */
const MAX_CHARS = 4_000

/** Whether to look for all matches at once: those of the same form were few, or nothing is known of them. */
export function mayBeFew(target: SearchTarget, search: ResolvedSearch, form: string): boolean {
  if (search.where.length === 0 || search.after || isDeep(search)) return false
  const forms = formsOf(target)
  const pause = forms.get(form) ?? 0
  if (pause > 0) forms.set(form, pause - 1)
  return pause === 0
}

/** Notes that there were many after all. */
export function wereMany(target: SearchTarget, form: string): void {
  const forms = formsOf(target)
  if (forms.size >= MAX_FORMS) forms.clear()
  if (form.length <= MAX_CHARS) forms.set(form, RETRY_AFTER)
}

function formsOf({ fields }: SearchTarget): Map<string, number> {
  const known = pauses.get(fields) ?? new Map<string, number>()
  pauses.set(fields, known)
  return known
}
