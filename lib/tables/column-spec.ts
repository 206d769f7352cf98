import { type SQL, sql } from 'drizzle-orm'
import { type Expression, parseExpression } from '@/lib/definitions/computed-expression'
import type { Entity, KeyDefinition, Property, StoredColumn } from '@/lib/definitions/definition'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { jsonToColumn } from './cast-sql'
import type { ColumnSpec } from './ddl-step'

/** The state of an entity's table: every column, and the definition it was made for. */
export type StoredTable = { columns: StoredColumn[]; entity: Entity }

/** The column of a property in its entity's table. */
export function columnOf(entity: Entity, property: Property): ColumnSpec {
  const { definition } = entity
  const { computed } = property.rules
  const key = definition.keys.find((candidate) => candidate.key === property.name)
  return {
    name: property.name,
    sqlType: sqlTypeOf(property),
    notNull: key !== undefined || property.rules.required,
    generated: key ? generatedBy(key, property) : null,
    ...(computed === undefined ? {} : { computed: computedSql(computed, entity) }),
  }
}

/**
 * The expression of a computed field as SQL, of immutable functions only. Numbers are computed exactly, and a
 * division by zero is null.
 */
function computedSql(computed: string, { properties }: Pick<Entity, 'properties'>): SQL {
  const isText = ({ name, kind }: Property, of: string) => name === of && isTextKind(kind)
  return toSql(parseExpression(computed), (name) => properties.some((one) => isText(one, name)))
}

type IsText = (field: string) => boolean

function toSql(expression: Expression, isText: IsText): SQL {
  switch (expression.type) {
    case 'number':
      return sql`${sql.raw(expression.text)}::numeric`
    case 'text':
      return sql.raw(`'${expression.value.replaceAll("'", "''")}'::text`)
    case 'field': {
      const column = sql.identifier(expression.name)
      return isText(expression.name) ? sql`${column}` : sql`${column}::numeric`
    }
    case 'operation':
      return operation(expression, isText)
    case 'call':
      return call(expression, isText)
  }
}

function operation(
  { operator, left, right }: Extract<Expression, { type: 'operation' }>,
  isText: IsText,
): SQL {
  const [a, b] = [toSql(left, isText), toSql(right, isText)]
  if (operator === '||') return sql`((${a})::text || (${b})::text)`
  if (operator === '/') return sql`(${a} / nullif(${b}, 0))`
  return sql`(${a} ${sql.raw(operator)} ${b})`
}

function call({ name, parts }: Extract<Expression, { type: 'call' }>, isText: IsText): SQL {
  const values = parts.map((part) => toSql(part, isText))
  if (name !== 'concat') return sql`${sql.raw(name)}(${sql.join(values, sql`, `)})`
  const texts = values.map((value) => sql`coalesce((${value})::text, '')`)
  return sql`(${sql.join(texts, sql` || `)})`
}

/** The default of a property as a value of its column; null without one. */
export function defaultSql(property: Property): SQL {
  const { generates, default: value = null } = property.rules
  if (generates === 'uuid') return sql`gen_random_uuid()::text`
  if (generates === 'now') return KINDS[property.kind].now?.sql ?? sql`now()`
  return jsonToColumn(sql`${JSON.stringify(value)}::text::jsonb`, property)
}

/** PostgreSQL's name, as in `format_type`, of the type of a property's column. */
export const sqlTypeOf = ({ kind, type }: Pick<Property, 'kind' | 'type'>): string =>
  KINDS[kind].column(type)

/** How the value of a key is generated when a record has none. */
export type Generated = 'identity' | 'sequence' | 'uuid' | null

/**
 * Integers use an identity. A counter of another type (`AutoIncrement` with `string`: `"1"`,
 * `"2"`, …) uses a sequence that belongs to the column.
 */
function generatedBy({ strategy }: KeyDefinition, { kind }: Property): Generated {
  if (strategy === 'UUID') return 'uuid'
  if (strategy === 'Fixed') return null
  return isWholeKind(kind) ? 'identity' : 'sequence'
}
