import { type SQL, sql } from 'drizzle-orm'
import type { ScalarType } from '@/lib/kinds/field-kind'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import type { FieldRef, Position, ResolvedSort } from './resolved'
import { columnSql, jsonSql, jsonTextSql, NATURAL } from './sql-terms'

type Direction = ResolvedSort['direction']

/** One value that records are ordered by. Null is last in both directions. */
export type OrderTerm = {
  value: SQL
  /** The type to which the value's text is cast for comparison. */
  type: ScalarType
  direction: Direction
  nullable: boolean
}

/**
 * The order of records: texts in natural order, and the key last (in the direction of the last sort, so
 * that one index can serve both), which makes the order total.
 */
export function orderTerms(target: SearchTarget, sort: ResolvedSort[]): OrderTerm[] {
  const terms = sort.flatMap(({ field, direction }) => termsOf(field, direction))
  return [...terms, ...keyTerms(target, sort)]
}

/** The terms of ORDER BY. */
export const orderSql = (target: SearchTarget, sort: ResolvedSort[]): SQL =>
  termsSql(orderTerms(target, sort))

/** As in ORDER BY; at least one. */
export const termsSql = (terms: OrderTerm[]): SQL => sql.join(terms.map(termSql), sql`, `)

/** Part of an order: the records that match `where`, all of which precede those of the next part. */
export type OrderPart = { where: SQL; order: SQL }

/**
 * The order in parts, where that is faster: an index read backwards has nulls first, so a descending
 * order with nulls last can use it only for the records with the field and those without separately.
 */
export function orderParts(target: SearchTarget, sort: ResolvedSort[]): OrderPart[] {
  const terms = orderTerms(target, sort)
  const [first, ...rest] = terms
  const field = sort[0]?.field
  if (!field || !first || !hasParts(sort, undefined))
    return [{ where: sql`true`, order: termsSql(terms) }]
  const column = columnSql(field)
  return [
    {
      where: sql`${column} is not null`,
      order: termsSql([{ ...first, nullable: false }, ...rest]),
    },
    { where: sql`${column} is null`, order: termsSql(rest) },
  ]
}

/** Whether an order has a second part, of records without a value of its first field; also after a position. */
export function hasParts([first]: ResolvedSort[], after: Position | undefined): boolean {
  if (!first) return false
  const { field, direction } = first
  if (after) return after[0] !== null && (field.nullable || isJsonKind(field.kind))
  return Boolean(field.indexed) && field.nullable && direction === 'desc'
}

function keyTerms(target: SearchTarget, sort: ResolvedSort[]): OrderTerm[] {
  const direction = sort.at(-1)?.direction ?? 'asc'
  const sorted = new Set(
    sort.filter(({ field }) => isExact(field)).map(({ field }) => field.column),
  )
  const keys = keyFields(target).filter(({ column }) => !sorted.has(column))
  return keys.map((key) => ({
    value: columnSql(key),
    type: KINDS[key.kind].comparedAs,
    direction,
    nullable: false,
  }))
}

// The fields of a target are one object as long as its definition and its rule are the same.
const keysOf = new WeakMap<SearchTarget['fields'], { keys: string[]; found: FieldRef[] }>()

/** Key fields as the database itself orders them. */
export function keyFields({ fields, keys }: SearchTarget): readonly FieldRef[] {
  const known = keysOf.get(fields)
  if (known?.keys === keys) return known.found
  const found = keys.map((key) => {
    const field = fields.find(({ name }) => name === key)
    if (!field) throw new Error(`The key field ${key} is no field`)
    return { ...field, path: [] }
  })
  keysOf.set(fields, { keys, found })
  return found
}

// Texts that differ only in case are equal in natural order, so such a key needs a tie-breaker.
const isExact = ({ kind, path }: FieldRef) => path.length === 0 && !isTextKind(kind)

function termsOf(field: FieldRef, direction: Direction): OrderTerm[] {
  if (isJsonKind(field.kind)) return jsonTerms(field, direction)
  const column = columnSql(field)
  const value = isTextKind(field.kind) ? sql`${column} ${NATURAL}` : column
  return [{ value, type: KINDS[field.kind].comparedAs, direction, nullable: field.nullable }]
}

/** Numbers by value, then everything else by its text; null and missing values last. */
function jsonTerms(field: FieldRef, direction: Direction): OrderTerm[] {
  const isNumber = sql`jsonb_typeof(${jsonSql(field)}) = 'number'`
  const text = jsonTextSql(field)
  const rank = sql`case when ${text} is null then null when ${isNumber} then 0 else 1 end`
  const number = sql`case when ${isNumber} then (${jsonSql(field)})::numeric end`
  const rest = { direction, nullable: true }
  return [
    { value: rank, type: 'bigint', ...rest },
    { value: number, type: 'numeric', ...rest },
    { value: sql`${text} ${NATURAL}`, type: 'text', ...rest },
  ]
}

// Without NULLS LAST an index on a NOT NULL column serves both directions.
const termSql = ({ value, direction, nullable }: OrderTerm): SQL =>
  sql`${value} ${DIRECTIONS[direction]}${nullable ? sql` nulls last` : sql``}`

const DIRECTIONS: Record<Direction, SQL> = { asc: sql.raw('asc'), desc: sql.raw('desc') }
