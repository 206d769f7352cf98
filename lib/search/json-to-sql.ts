import { type SQL, sql } from 'drizzle-orm'
import type { OperatorOf } from '@/lib/definitions/operators'
import type { JsonLiteral } from '@/lib/kinds/field-kind'
import { isListKind } from '@/lib/kinds/kind'
import { likeSql, literal, PATTERNS, type PatternName } from './like-pattern'
import type { FieldRef } from './resolved'
import { columnSql, jsonSql, jsonTextSql, NATURAL, typedSql, valuesSql } from './sql-terms'

export type JsonOperator = OperatorOf<'json' | 'object' | 'array'>

type Render = (field: FieldRef, values: JsonLiteral[]) => SQL

/**
 * A test of JSON, whose type varies by record: numbers compare with numbers and texts that spell one,
 * everything else by its text. JSON's null and a missing value are both null.
 */
export function jsonTest(
  field: FieldRef,
  operator: JsonOperator,
  values: JsonLiteral[],
  orNull: boolean,
): SQL {
  const tested = JSON_TESTS[operator](field, values)
  if (!orNull) return tested
  return operator === 'nin'
    ? sql`(${tested} and ${jsonTextSql(field)} is not null)`
    : sql`(${tested} or ${jsonTextSql(field)} is null)`
}

const JSON_TESTS: Record<JsonOperator, Render> = {
  eq: equalsAny,
  ne: (field, values) => sql`(${equalsAny(field, values)} is not true)`,
  in: equalsAny,
  nin: (field, values) => sql`(${equalsAny(field, values)} is not true)`,
  gt: (field, [value]) => compare(field, sql`>`, value),
  gte: (field, [value]) => compare(field, sql`>=`, value),
  lt: (field, [value]) => compare(field, sql`<`, value),
  lte: (field, [value]) => compare(field, sql`<=`, value),
  between: (field, [low, high]) =>
    sql`(${compare(field, sql`>=`, low)} and ${compare(field, sql`<=`, high)})`,
  like: matches('like'),
  ilike: matches('ilike'),
  contains: (field, values) => hasElement(field, values, elementSql),
  icontains: (field, values) => hasElement(field, values, elementInAnyCaseSql),
  starts: matches('starts'),
  istarts: matches('istarts'),
  ends: matches('ends'),
  iends: matches('iends'),
  isnull: (field) => sql`${jsonTextSql(field)} is null`,
  notnull: (field) => sql`${jsonTextSql(field)} is not null`,
}

/** `jsonb_typeof`, which determines for each record how it is compared. */
const typeSql = (field: FieldRef) => sql`jsonb_typeof(${jsonSql(field)})`

/**
 * Whether the value is one of a list. For a few values inside a column the test is containment, which
 * a GIN index on the column serves and which reads the column once.
 */
function equalsAny(field: FieldRef, values: JsonLiteral[]): SQL {
  const candidates = values.flatMap(candidatesOf)
  if (candidates.length > MAX_CONTAINED || !isContainable(field, values))
    return sql`${jsonSql(field)} = any(${valuesSql('jsonb', candidates)})`
  const tests = candidates.map((candidate) => {
    const nested = field.path.reduceRight(
      (inner, key) => `{${JSON.stringify(key)}:${inner}}`,
      candidate,
    )
    return sql`${columnSql(field)} @> ${typedSql('jsonb', nested)}`
  })
  return tests.length > 0 ? sql`(${sql.join(tests, sql` or `)})` : sql`false`
}

const MAX_CONTAINED = 20

// Containing an object or array is weaker than equality, and a number may be an index or a field's name.
const isContainable = ({ path }: FieldRef, values: JsonLiteral[]) =>
  path.length > 0 &&
  !path.some((key) => /^-?\d+$/.test(key)) &&
  values.every(({ container }) => container === null)

/** Every JSON value that the literal equals, as JSON text. */
const candidatesOf = ({ text, number, container }: JsonLiteral): string[] => [
  ...(text === null ? [] : [JSON.stringify(text)]),
  ...(number === null ? [] : [number]),
  ...(text === 'true' || text === 'false' ? [text] : []),
  ...(container === null ? [] : [container]),
]

/** Objects and arrays have no order: no range contains them. */
function compare(field: FieldRef, operator: SQL, value: JsonLiteral | undefined): SQL {
  if (!value) throw new Error('A resolved condition lacks its value')
  const asText = sql`${jsonTextSql(field)} ${NATURAL} ${operator} ${typedSql('text', value.text ?? '')}`
  const asNumber =
    value.number === null
      ? asText
      : sql`(${jsonSql(field)})::numeric ${operator} ${typedSql('numeric', value.number)}`
  return sql`(case ${typeSql(field)} when 'number' then ${asNumber} when 'object' then false when 'array' then false else ${asText} end)`
}

/** A text matches the pattern; an array if any element does; an object by its JSON text. */
function matches(name: PatternName): Render {
  const { ignoresCase, of } = PATTERNS[name]
  return (field, [value]) => {
    const test = (text: SQL) => likeSql(text, of(value?.text ?? ''), ignoresCase)
    return onArray(field, anyElement(field, test), test(jsonTextSql(field)))
  }
}

/** An array has the element; any other value is searched as a text. */
function hasElement(
  field: FieldRef,
  [value]: JsonLiteral[],
  elementOf: (field: FieldRef, value: JsonLiteral) => SQL,
): SQL {
  if (!value) throw new Error('A resolved condition lacks its value')
  const element = elementOf(field, value)
  if (isListKind(field.kind)) return element
  const pattern = PATTERNS.contains.of(value.text ?? '')
  const inText = likeSql(jsonTextSql(field), pattern, elementOf !== elementSql)
  const inObject = sql`${jsonSql(field)} @> ${typedSql('jsonb', value.container ?? 'null')}`
  return onArray(field, element, value.text === null ? inObject : inText)
}

/** By containment, which a GIN index on the column serves. */
function elementSql(field: FieldRef, value: JsonLiteral): SQL {
  const tests = candidatesOf(value).map(
    (candidate) => sql`${jsonSql(field)} @> ${typedSql('jsonb', `[${candidate}]`)}`,
  )
  return sql`(${sql.join(tests, sql` or `)})`
}

const elementInAnyCaseSql = (field: FieldRef, { text }: JsonLiteral): SQL =>
  anyElement(field, (element) => likeSql(element, literal(text ?? ''), true))

const onArray = (field: FieldRef, array: SQL, otherwise: SQL): SQL =>
  sql`(case when ${typeSql(field)} = 'array' then ${array} else ${otherwise} end)`

// Field names can't contain a $, so these two shadow none. A value that is no array has no elements.
const anyElement = (field: FieldRef, test: (element: SQL) => SQL): SQL =>
  sql`exists (select 1 from jsonb_array_elements_text(case when ${typeSql(field)} = 'array' then ${jsonSql(field)} end) as "$e"("$v") where ${test(sql`"$v"`)})`
