import { type SQL, sql } from 'drizzle-orm'
import type { SearchTarget } from '@/lib/entities/target'
import type { FieldRef, ResolvedSort } from './resolved'
import { columnSql, jsonSql, jsonTextSql, NATURAL } from './sql-terms'

type Direction = ResolvedSort['direction']

/**
 * The terms of ORDER BY: texts in natural order, nulls last in both directions, and the key at the end
 * (in the direction of the last sort, so that one index can serve both), which makes the order total.
 */
export function orderSql(target: SearchTarget, sort: ResolvedSort[]): SQL {
  const terms = sort.flatMap(({ field, direction }) => termsOf(field, direction))
  return sql.join([...terms, ...keyTerms(target, sort)], sql`, `)
}

/** An order in two parts: records that have the first field, and after them those that do not. */
export type SplitOrder = { column: SQL; filled: SQL; empty: SQL }

/**
 * The order in two parts where that is faster: an index read backwards has nulls first, so it gives a
 * descending order with nulls last only part by part. Null where the order as it is will do.
 */
export function splitOrder(target: SearchTarget, sort: ResolvedSort[]): SplitOrder | null {
  const [first, ...rest] = sort
  if (first?.direction !== 'desc' || !first.field.nullable || !first.field.indexed) return null
  const terms = rest.flatMap(({ field, direction }) => termsOf(field, direction))
  const end = [...terms, ...keyTerms(target, sort)]
  const [term] = termsOf({ ...first.field, nullable: false }, 'desc')
  return {
    column: columnSql(first.field),
    filled: sql.join([term, ...end], sql`, `),
    empty: sql.join(end, sql`, `),
  }
}

function keyTerms(target: SearchTarget, sort: ResolvedSort[]): SQL[] {
  const last = sort.at(-1)?.direction ?? 'asc'
  const sorted = new Set(
    sort.filter(({ field }) => isExact(field)).map(({ field }) => field.column),
  )
  const keys = keyFields(target).filter(({ column }) => !sorted.has(column))
  return keys.map((key) => sql`${columnSql(key)} ${DIRECTIONS[last]}`)
}

const DIRECTIONS: Record<Direction, SQL> = { asc: sql.raw('asc'), desc: sql.raw('desc') }

/** Key fields as the database itself orders them. */
export function keyFields({ fields, keys }: SearchTarget): FieldRef[] {
  return keys.map((key) => {
    const field = fields.find(({ name }) => name === key)
    if (!field) throw new Error(`The key field ${key} is no field`)
    return { ...field, path: [] }
  })
}

// Texts that differ in case only are equal in natural order: such a key still has to be told apart.
const isExact = ({ kind, path }: FieldRef) => path.length === 0 && kind !== 'text'

function termsOf(field: FieldRef, direction: Direction): SQL[] {
  const dir = DIRECTIONS[direction]
  if (field.kind === 'text') return [sql`${columnSql(field)} ${NATURAL} ${dir}${nullsLast(field)}`]
  if (field.kind === 'json' || field.kind === 'object' || field.kind === 'array')
    return jsonTerms(field, dir)
  return [sql`${columnSql(field)} ${dir}${nullsLast(field)}`]
}

/** Without it an index on a NOT NULL column serves both directions. */
const nullsLast = (field: FieldRef) => (field.nullable ? sql` nulls last` : sql``)

/** Numbers by value, then everything else by its text; null and missing values last. */
function jsonTerms(field: FieldRef, dir: SQL): SQL[] {
  const isNumber = sql`jsonb_typeof(${jsonSql(field)}) = 'number'`
  return [
    sql`case when ${jsonTextSql(field)} is null then null when ${isNumber} then 0 else 1 end ${dir} nulls last`,
    sql`case when ${isNumber} then (${jsonSql(field)})::numeric end ${dir} nulls last`,
    sql`${jsonTextSql(field)} ${NATURAL} ${dir} nulls last`,
  ]
}
