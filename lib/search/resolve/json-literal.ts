import type { JsonLiteral } from '@/lib/search/resolved'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import type { Json } from '@/lib/values/json'
import { isJsonNumber } from '@/lib/values/numeric-text'

/** How `value` is compared inside JSON: `5` and `"5"` are equal, and so are `{…}` and its text. */
export function toJsonLiteral(value: Json): JsonLiteral {
  if (typeof value === 'object')
    return { type: 'json', text: null, number: null, container: stringifyExactly(value) }
  const text = String(value)
  const number = typeof value !== 'boolean' && isJsonNumber(text) ? text : null
  return { type: 'json', text, number, container: number ? null : parseContainer(text) }
}

/** The JSON of a text that is an object or array, or null. */
function parseContainer(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null // a text that only begins like JSON
  }
}
