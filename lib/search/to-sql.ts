import { type SQL, sql } from 'drizzle-orm'
import { PLANNED_EACH_TIME } from '@/lib/db/prepared-statements'
import type { OperatorName } from '@/lib/definitions/operators'
import { isPlaceOperator } from '@/lib/definitions/place-operators'
import type { ScalarLiteral } from '@/lib/kinds/field-kind'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { type JsonOperator, jsonTest } from './json-to-sql'
import { likeSql, PATTERNS, type PatternName } from './like-pattern'
import { nearSql, withinSql } from './places'
import { toRegularExpression } from './regular-expression'
import type { FieldRef, Resolved } from './resolved'
import {
  columnSql,
  comparedSql,
  fromRelated,
  isScalar,
  NATURAL,
  valueSql,
  valuesSql,
} from './sql-terms'
import { matchesSql } from './text-search'

/**
 * The conditions, all of which must hold, as one SQL expression; `true` when there are none. Logic has
 * two values: a comparison with null does not hold, and `not`, `ne` and `nin` are exact complements.
 * The SQL of a test returns true, false or null. Null counts as false, also inside `not`, so it needs no `coalesce`.
 */
export function whereSql(conditions: Resolved[]): SQL {
  const where = conditionsSql(conditions)
  return conditions.some(hasValues) ? sql`${PLANNED_EACH_TIME} ${where}` : where
}

/** The same for conditions on the whole key: one plan serves all values, since at most one record matches. */
export const conditionsSql = (conditions: Resolved[]): SQL =>
  all(conditions.map(conditionSql), sql` and `) ?? sql`true`

/** Which index serves a value best depends on how many records have it. */
const hasValues = (condition: Resolved): boolean =>
  condition.type === 'test'
    ? condition.values.length > 0
    : condition.type === 'words' || condition.of.some(hasValues)

/** Each of the rows meets conditions if none does not. */
function relatedSql({ quantifier, rows, of }: Resolved & { type: 'related' }): SQL {
  const met = of.length > 0 ? conditionsSql(of) : undefined
  const condition = met && quantifier === 'every' ? sql`(${met} is not true)` : met
  const found = sql`exists (select ${fromRelated(rows, condition)})`
  return quantifier === 'some' ? found : sql`(not ${found})`
}

function conditionSql(condition: Resolved): SQL {
  if (condition.type === 'test') return testSql(condition)
  if (condition.type === 'related') return relatedSql(condition)
  if (condition.type === 'words') return matchesSql(condition.words)
  const parts = condition.of.map(conditionSql)
  if (condition.type === 'or') return all(parts, sql` or `) ?? sql`false`
  const both = all(parts, sql` and `) ?? sql`true`
  return condition.type === 'not' ? sql`(${both} is not true)` : both
}

function all(parts: SQL[], separator: SQL): SQL | null {
  if (parts.length === 0) return null
  return sql`(${sql.join(parts, separator)})`
}

function testSql({ field, operator, values, orNull }: Resolved & { type: 'test' }): SQL {
  const scalars = values.filter(isScalar)
  if (isJsonKind(field.kind) && !isPlaceOperator(operator))
    return jsonTest(
      field,
      operator as JsonOperator, // operators of other kinds are refused by then
      values.filter((value) => !isScalar(value)),
      orNull,
    )
  return SCALAR[operator](field, scalars, orNull)
}

type Render = (field: FieldRef, values: ScalarLiteral[], orNull: boolean) => SQL

/** The SQL of every operator on a typed column. */
const SCALAR: Record<OperatorName, Render> = {
  eq: (field, values) => sql`${comparedSql(field, values)} = ${first(values)}`,
  ne: (field, values) => sql`${comparedSql(field, values)} is distinct from ${first(values)}`,
  gt: (field, values) => sql`${ordered(field, values)} > ${first(values)}`,
  gte: (field, values) => sql`${ordered(field, values)} >= ${first(values)}`,
  lt: (field, values) => sql`${ordered(field, values)} < ${first(values)}`,
  lte: (field, values) => sql`${ordered(field, values)} <= ${first(values)}`,
  between: (field, values) =>
    sql`${ordered(field, values)} between ${first(values)} and ${first(values.slice(1))}`,
  in: inSql,
  nin: (field, values, orNull) => sql`(${inSql(field, values, orNull)} is not true)`,
  like: pattern('like'),
  ilike: pattern('ilike'),
  contains: pattern('contains'),
  icontains: pattern('icontains'),
  starts: pattern('starts'),
  istarts: pattern('istarts'),
  ends: pattern('ends'),
  iends: pattern('iends'),
  matches: (field, [value]) =>
    sql`${columnSql(field)} ~ ${valueSql({ type: 'text', text: toRegularExpression(value?.text ?? '') })}`,
  near: nearSql,
  within: withinSql,
  isnull: (field) => sql`${columnSql(field)} is null`,
  notnull: (field) => sql`${columnSql(field)} is not null`,
}

function first([value]: ScalarLiteral[]): SQL {
  if (!value) throw new Error('A resolved condition lacks its value')
  return valueSql(value)
}

/** The column as ranges and sorts use it. */
const ordered = (field: FieldRef, values: ScalarLiteral[]): SQL =>
  isTextKind(field.kind) ? sql`${columnSql(field)} ${NATURAL}` : comparedSql(field, values)

function inSql(field: FieldRef, values: ScalarLiteral[], orNull: boolean): SQL {
  const types = [...new Set(values.map(({ type }) => type))]
  const parts = types.map((type) => {
    const alike = values.filter((value) => value.type === type)
    const texts = alike.map(({ text }) => text)
    return sql`${comparedSql(field, alike)} = any(${valuesSql(type, texts)})`
  })
  if (orNull) parts.push(sql`${columnSql(field)} is null`)
  return all(parts, sql` or `) ?? sql`false`
}

// The bare column is on the left, so that a trigram index on it serves the pattern.
function pattern(name: PatternName): Render {
  const { ignoresCase, of } = PATTERNS[name]
  return (field, [value]) => likeSql(columnSql(field), of(value?.text ?? ''), ignoresCase)
}
