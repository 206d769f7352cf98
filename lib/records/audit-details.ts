import type { ConditionsInput } from '@/lib/search/read-input'
import { type Json, literalOf, parseJson, stringifyExactly } from '@/lib/values/json'

const MAX_NOTED = 4096

/** The part of JSON for the audit log; lists may hold thousands of values. */
export function shortenedJson(value: Json): Json {
  const text = stringifyExactly(value)
  if (text.length > MAX_NOTED) return `${text.slice(0, MAX_NOTED)}…`
  return parseJson(JSON.stringify(value, (_, one: Json) => literalOf(one) ?? one))
}

export const shortenedQuery = (conditions: ConditionsInput['conditions']): Json =>
  shortenedJson(conditions)
