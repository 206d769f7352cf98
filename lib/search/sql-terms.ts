import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { KINDS } from '@/lib/kinds/kinds'
import type { Literal, ScalarLiteral, ScalarType } from '@/lib/kinds/literal'
import type { FieldRef } from './resolved'

/** The case-insensitive natural order of texts. */
export const NATURAL = sql.raw('collate "engine"."natural"')

/** The column itself; for a path, the column that holds the JSON. */
export const columnSql = ({ column, expression }: FieldRef): SQL =>
  expression ? sql`(${sql.raw(expression)})` : sql`${sql.identifier(column)}`

const MAX_INTEGER = 2_147_483_647

/** Whether a value is none of a narrow integer column, which nodes of a cluster refuse to look for. */
export const isWide = ({ type, text }: ScalarLiteral): boolean =>
  type === 'numeric' || (type === 'bigint' && Math.abs(Number(text)) > MAX_INTEGER)

/** The column as it compares with values: of a type that has all of them, which costs its index only where it has none. */
export function comparedSql(field: FieldRef, values: readonly ScalarLiteral[]): SQL {
  const wide = KINDS[field.kind].comparedAs === 'bigint' ? values.filter(isWide) : []
  if (wide.length === 0) return columnSql(field)
  const type = wide.some(({ type }) => type === 'numeric') ? 'numeric' : 'bigint'
  return sql`${columnSql(field)}::${sql.raw(type)}`
}

/** The JSON at the field's path; null where there is none. */
export function jsonSql(field: FieldRef): SQL {
  const [first, ...rest] = field.path
  if (first === undefined) return columnSql(field)
  if (rest.length === 0 && !isIndex(first)) return sql`(${columnSql(field)} -> ${first}::text)`
  return sql`(${columnSql(field)} #> ${pathSql(field.path)})`
}

/** The same as text, without quotes; null where there is none, and for JSON's null. */
export function jsonTextSql(field: FieldRef): SQL {
  const [first, ...rest] = field.path
  if (first !== undefined && rest.length === 0 && !isIndex(first))
    return sql`(${columnSql(field)} ->> ${first}::text)`
  return sql`(${columnSql(field)} #>> ${pathSql(field.path)})`
}

/** Of texts, whose form nodes of a cluster can compare: a text that becomes a list depends on settings for them. */
const pathSql = (path: string[]): SQL =>
  path.length === 0
    ? sql`'{}'::text[]`
    : sql`array[${sql.join(
        path.map((key) => sql`${key}::text`),
        sql`, `,
      )}]`

// `->` with a text finds no element of an array, `#>` does.
const isIndex = (key: string) => /^-?\d+$/.test(key)

/**
 * A bound value. It is sent as text, independent of the driver's conversions, and cast to its type on
 * the server.
 */
export const valueSql = ({ type, text }: ScalarLiteral): SQL => typedSql(type, text)

/** The values, all of one type, as one bound array. */
export const valuesSql = (type: string, texts: string[]): SQL =>
  sql`${arrayText(texts)}::text::${sql.raw(type)}[]`

/** `text` may be a placeholder of a compiled statement. */
export const typedSql = (type: ScalarType | 'jsonb', text: string | SQLWrapper): SQL =>
  sql`${text}::text::${sql.raw(type)}`

/** PostgreSQL's text form of a one-dimensional array. */
const arrayText = (texts: string[]) =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

export const isScalar = (literal: Literal): literal is ScalarLiteral => literal.type !== 'json'
