import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import { isDeep } from './page-sql'
import type { ResolvedSearch } from './resolved'
import { fromSql, type Join } from './sql-terms'

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

/** All matches, each condition tested once, unless there are many. */
export const fewSql = (target: SearchTarget, where: SQL, joins?: Join[]): SQL =>
  sql`with ${NAME} as materialized (
    select * from ${fromSql(target, joins)} where ${where} limit ${sql.raw(String(MAX_FEW + 1))}
  )`

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
