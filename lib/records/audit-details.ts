import { isDeepStrictEqual } from 'node:util'
import { showable } from '@/lib/rows/record-faults'
import type { ConditionsInput } from '@/lib/search/read-input'
import {
  type Json,
  type JsonObject,
  literalOf,
  parseJson,
  stringifyExactly,
} from '@/lib/values/json'

const MAX_FIELDS = 50

/** A change for the audit log: the fields that differ, before and after, shortened. */
export function describeChange(before: string, after: string): JsonObject {
  const [old, now] = [parseRecord(before), parseRecord(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const changed = names.filter((name) => !isDeepStrictEqual(old[name], now[name]))
  const entries = changed
    .slice(0, MAX_FIELDS)
    .map((name): [string, Json] => [
      name,
      { before: showable(old[name] ?? null), after: showable(now[name] ?? null) },
    ])
  const more = Math.max(0, changed.length - MAX_FIELDS)
  return { changed: Object.fromEntries(entries), ...(more > 0 && { more }) }
}

// Different large numbers may be equal as doubles.
const parseRecord = (text: string) => parseJson(text, { exactly: true }) as JsonObject

const MAX_NOTED = 4096

/** The part of JSON for the audit log; lists may hold thousands of values. */
export function shortenedJson(value: Json): Json {
  const text = stringifyExactly(value)
  if (text.length > MAX_NOTED) return `${text.slice(0, MAX_NOTED)}…`
  return parseJson(JSON.stringify(value, (_, one: Json) => literalOf(one) ?? one))
}

export const shortenedQuery = (conditions: ConditionsInput['conditions']): Json =>
  shortenedJson(conditions)
