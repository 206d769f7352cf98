import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/registry/target'
import type { Matches } from './count-matches'
import { isDeep } from './page-sql'
import type { ResolvedSearch } from './resolved'
import { shapeOf } from './shape'
import { fromSql } from './sql-terms'
import { whereSql } from './to-sql'

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
export const fewSql = ({ target, where, joins }: Matches): SQL =>
  sql`with ${NAME} as materialized (
    select * from ${fromSql(target, joins)} where ${whereSql(where)} limit ${sql.raw(String(MAX_FEW + 1))}
  )`

/** How often each form of conditions is to be counted before it may have few matches again; for the fields of a target. */
const pauses = new WeakMap<SearchTarget['fields'], Map<string, number>>()
const MAX_SHAPES = 500

/** Whether to look for all matches at once: those of the same form were few, or nothing is known of them. */
export function mayBeFew(target: SearchTarget, search: ResolvedSearch): boolean {
  if (search.where.length === 0 || search.after || isDeep(search)) return false
  const shapes = shapesOf(target)
  const shape = shapeOf(search.where)
  const pause = shapes.get(shape) ?? 0
  if (pause > 0) shapes.set(shape, pause - 1)
  return pause === 0
}

/** Notes that there were many after all. */
export function wereMany(target: SearchTarget, { where }: ResolvedSearch): void {
  const shapes = shapesOf(target)
  if (shapes.size >= MAX_SHAPES) shapes.clear()
  shapes.set(shapeOf(where), RETRY_AFTER)
}

function shapesOf({ fields }: SearchTarget): Map<string, number> {
  const known = pauses.get(fields) ?? new Map<string, number>()
  pauses.set(fields, known)
  return known
}
