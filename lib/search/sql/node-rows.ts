import { type SQL, sql } from 'drizzle-orm'
import type { Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql } from '@/lib/search/joins'
import { keyFields, type OrderPart, orderSql } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { ResolvedSearch } from '@/lib/search/resolved'
import { columnSql, typedSql, valuesSql } from '@/lib/search/sql-terms'
import { whereSql } from '@/lib/search/to-sql'
import { literal, positionJson } from '../page-sql'

/** The key of a record: its parts as texts. */
export type KeyRow = { key: string[] }

export type NodeWindow = { part: OrderPart; limit: number; offset: number }

const ROW = '$page'

/**
 * Statements for records on the nodes of a cluster. Each node sorts and limits its own records, and the results are
 * merged: that needs one level, whose limits are no parameters.
 */
export const nodeRows = (target: SearchTarget, search: ResolvedSearch, window: NodeWindow): SQL =>
  sql`select ${recordOf(target, search)} ${windowSql(target, search, window)}`

/** The keys alone: what is skipped is sent to the coordinator too. */
export function nodeKeys(target: SearchTarget, search: ResolvedSearch, window: NodeWindow): SQL {
  const parts = keyFields(target).map((field) => sql`(${columnSql(field)})::text`)
  return sql`select json_build_array(${sql.join(parts, sql`, `)}) as "key" ${windowSql(target, search, window)}`
}

/** The records with these keys. */
export const nodeRowsByKey = (target: SearchTarget, search: ResolvedSearch, keys: KeyRow[]): SQL =>
  sql`select ${recordOf(target, search)} from ${fromSql(target, search.joins, { as: ROW })}
    where ${hasKey(target, keys)} order by ${orderSql(target, search.sort)}`

function recordOf(target: SearchTarget, search: ResolvedSearch): SQL {
  const expanded = { scope: ROW, expand: search.expand ?? [] }
  const json = recordJson(target, search.fields, expanded)
  return sql`${json} as "json", ${positionJson(target, search)} as "position"`
}

const windowSql = (
  target: SearchTarget,
  { where, joins }: ResolvedSearch,
  { part, limit, offset }: NodeWindow,
): SQL => sql`from ${fromSql(target, joins, { as: ROW })} where ${whereSql(where)} and ${part.where}
    order by ${part.order} limit ${literal(limit)}${offset > 0 ? sql` offset ${literal(offset)}` : sql``}`

function hasKey(target: SearchTarget, keys: KeyRow[]): SQL {
  const fields = keyFields(target)
  const [only] = fields
  const type = (kind: Kind) => KINDS[kind].comparedAs
  if (fields.length === 1 && only)
    return sql`${columnSql(only)} = any(${valuesSql(
      type(only.kind),
      keys.map(({ key }) => key[0] ?? ''),
    )})`
  const columns = sql.join(fields.map(columnSql), sql`, `)
  const rows = keys.map(({ key }) => {
    const values = fields.map(({ kind }, at) => typedSql(type(kind), key[at] ?? ''))
    return sql`(${sql.join(values, sql`, `)})`
  })
  return sql`(${columns}) in (${sql.join(rows, sql`, `)})`
}
