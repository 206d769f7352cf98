import type { Property } from '@/lib/definitions/definition'
import { sqlTypeOf } from './column-type'

type Typed = Pick<Property, 'type' | 'kind'>

/** Whether every value of `from` is one of `to`, which has more. */
export function isWiderType(from: Typed, to: Typed): boolean {
  const [before, after] = [rankOf(from), rankOf(to)]
  return before !== null && after !== null && after > before
}

// A decimal and a double hold values that the other does not.
const RANKS: Record<string, number> = {
  smallint: 0,
  bigint: 1,
  numeric: 3,
  'double precision': 3,
  text: 4,
}

/** Of integers, `bigint` has values beyond those that JSON numbers keep exactly. */
function rankOf(property: Typed): number | null {
  const rank = RANKS[sqlTypeOf(property)] ?? null
  return rank === 1 && property.type === 'bigint' ? 2 : rank
}
