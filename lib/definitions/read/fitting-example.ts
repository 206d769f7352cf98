import type { Property } from '@/lib/definitions/definition'
import { valueFault } from '@/lib/definitions/value-fault'
import type { Json } from '@/lib/values/json'
import { tooMuchToMatch } from './contradicting-rules'

const MAX_JSON_CHARS = 1_000
/** Limits `examples`, each of which may have to be matched with a pattern. */
const MAX_CANDIDATES = 3

/**
 * The `example` of a property, otherwise the first of its `examples` (JSON Schema), that its rules allow.
 * Others are ignored without making the definition invalid, as JSON Schema does.
 */
export function firstFittingExample(
  property: Property,
  example: Json | undefined,
  examples: Json | undefined,
): Json | undefined {
  const listed = Array.isArray(examples) ? examples.slice(0, MAX_CANDIDATES) : []
  const candidates = example === undefined ? listed : [example, ...listed]
  return candidates.find((value) => value !== null && fits(property, value))
}

function fits(property: Property, value: Json): boolean {
  if (JSON.stringify(value).length > MAX_JSON_CHARS) return false
  const { pattern } = property.rules
  if (pattern && typeof value === 'string' && tooMuchToMatch(pattern, [value])) return false
  return valueFault(property, value) === null
}
