import type { KeyDefinition, Property } from '@/lib/definitions/definition'
import { isWholeKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'

/** PostgreSQL's name, as in `format_type`, of the type of a property's column. */
export const sqlTypeOf = ({ kind, type }: Pick<Property, 'kind' | 'type'>): string =>
  KINDS[kind].column(type)

/** How the value of a key is generated when a record has none. */
export type Generated = 'identity' | 'sequence' | 'uuid' | null

/**
 * Integers use an identity. A counter of another type (`AutoIncrement` with `string`: `"1"`,
 * `"2"`, …) uses a sequence that belongs to the column.
 */
export function generatedBy({ strategy }: KeyDefinition, { kind }: Property): Generated {
  if (strategy === 'UUID') return 'uuid'
  if (strategy === 'Fixed') return null
  return isWholeKind(kind) ? 'identity' : 'sequence'
}
