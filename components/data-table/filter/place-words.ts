import { findOperator } from '@/lib/definitions/operators'
import { isPlaceOperator, placeNumbers } from '@/lib/definitions/place-operators'
import type { Json } from '@/lib/values/json'
import type { FieldCondition } from './condition'

/** What a condition on a location says: `within 50 km of 48.8584, 2.2945`; null for any other one. */
export function placeWords({ operator, value }: FieldCondition): string | null {
  const known = findOperator(operator)
  const numbers = known && isPlaceOperator(known) ? placeNumbers(known, value as Json) : null
  if (!numbers) return null
  const [first, second, third, fourth] = numbers
  return known === 'near'
    ? `within ${third} km of ${first}, ${second}`
    : `between ${first}° and ${third}° of latitude, ${second}° and ${fourth}° of longitude`
}
