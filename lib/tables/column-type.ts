import type { KeyDefinition, Kind, Property } from '@/lib/definitions/definition'

const SQL_TYPES: Record<Kind, string> = {
  text: 'text',
  integer: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamp(3) with time zone',
  time: 'time without time zone',
  json: 'jsonb',
  object: 'jsonb',
  array: 'jsonb',
}

/** PostgreSQL's name, as in `format_type`, of the type of a property's column. */
export const sqlTypeOf = ({ kind, type }: Pick<Property, 'kind' | 'type'>): string =>
  type === 'smallint' || type === 'tinyint' ? 'smallint' : SQL_TYPES[kind]

/** How the value of a key is generated when a record has none. */
export type Generated = 'identity' | 'sequence' | 'uuid' | null

/**
 * Integers use an identity. A counter of another type (`AutoIncrement` with `string`: `"1"`,
 * `"2"`, …) uses a sequence that belongs to the column.
 */
export function generatedBy({ strategy }: KeyDefinition, property: Property): Generated {
  if (strategy === 'UUID') return 'uuid'
  if (strategy === 'Fixed') return null
  return property.kind === 'integer' ? 'identity' : 'sequence'
}
