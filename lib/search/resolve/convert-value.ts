import type { Kind } from '@/lib/definitions/definition'
import { isPattern, type OperatorName } from '@/lib/definitions/operators'
import { messageOf } from '@/lib/errors'
import type { FieldRef, JsonLiteral, Literal } from '@/lib/search/resolved'
import { toRegularExpression } from '@/lib/search/sql/regular-expression'
import { literalOf, stringifyExactly } from '@/lib/values/exact-numbers'
import { isObject, type Json } from '@/lib/values/json'
import { isJsonNumber, isNumericText } from '@/lib/values/numeric-text'
import { isTime, parseInstant } from '@/lib/values/parse-datetime'
import { RELATIVE_FORMS, relativeTime } from '@/lib/values/relative-time'
import { whyNotStorable } from '@/lib/values/storable'
import { shorten } from '@/lib/values/unknown-name'

/** Why a value does not suit its field; completes the sentence `Field "age" …`. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}

/**
 * Converts a value of a condition (not null) to the type of its field. Typed values and their
 * text give equal results. `$me` of a text is the id of `reader`. Throws `BadValue`, naming field, type and value.
 */
export function convertValue(
  given: Json,
  field: FieldRef,
  operator: OperatorName,
  reader: string | null,
): Literal {
  const unstorable = whyNotStorable(given)
  if (unstorable) throw new BadValue(`The value for "${field.name}" ${unstorable}`)
  const value =
    literalOf(given) ?? (given === ME && field.kind === 'text' && reader ? reader : given)
  const looksInside = isPattern(operator)
  const kind = looksInside && field.kind !== 'text' ? 'json' : field.kind
  const literal = CONVERT[kind](
    typeof value === 'string' && TRIMMED.has(kind) ? value.trim() : value,
  )
  if (literal === null) throw new BadValue(mismatch(field, value, expectedOf(kind, value)))
  if (literal.text === null && !TAKES_CONTAINER.has(operator))
    throw new BadValue(mismatch(field, value, `compared by "${operator}" with a text or number`))
  if (operator === 'matches') requirePattern(field, literal.text ?? '')
  return isRelative(kind, value) && literal.type !== 'json'
    ? { ...literal, written: value }
    : literal
}

/** Stands for the id of the user who asks. */
const ME = '$me'

const isRelative = (kind: Kind, value: Json): value is string =>
  (kind === 'date' || kind === 'datetime') &&
  typeof value === 'string' &&
  value.trim().startsWith('$')

/** What was expected, with the relative times where one was meant. */
const expectedOf = (kind: Kind, value: Json): string =>
  isRelative(kind, value) ? `${KIND_NAMES[kind]}, or ${RELATIVE_FORMS}` : KIND_NAMES[kind]

function requirePattern(field: FieldRef, pattern: string): void {
  try {
    toRegularExpression(pattern)
  } catch (error) {
    throw new BadValue(`The pattern for "${field.name}" is ${messageOf(error)}`)
  }
}

const mismatch = (field: FieldRef, value: Json, expected: string) =>
  `"${field.name}" is ${expected}, and ${shorten(JSON.stringify(value))} is not`

const TAKES_CONTAINER = new Set<OperatorName>(['eq', 'ne', 'in', 'nin', 'contains'])
const TRIMMED = new Set<Kind>([
  'integer',
  'decimal',
  'float',
  'boolean',
  'date',
  'datetime',
  'time',
])

const CONVERT: Record<Kind, (value: Json) => Literal | null> = {
  text: (value) => (typeof value === 'object' ? null : { type: 'text', text: String(value) }),
  integer: (value) => toInteger(numberText(value)),
  decimal: (value) => scalar('numeric', numberText(value)),
  float: (value) => toFloat(numberText(value)),
  boolean: (value) => scalar('boolean', /^(true|false)$/i.exec(String(value))?.[0].toLowerCase()),
  date: (value) => toDate(instantOf(value)),
  datetime: (value) => scalar('timestamptz', instantOf(value)),
  time: (value) => scalar('time', typeof value === 'string' && isTime(value) ? value : null),
  json: toJsonLiteral,
  object: (value) => onlyContainer(toJsonLiteral(value), isObject),
  array: (value) => onlyContainer(toJsonLiteral(value), Array.isArray),
}

export const KIND_NAMES: Record<Kind, string> = {
  text: 'text',
  integer: 'an integer',
  decimal: 'a decimal number',
  float: 'a number',
  boolean: 'a boolean (true or false)',
  date: 'a date (YYYY-MM-DD)',
  datetime: 'a datetime (ISO 8601)',
  time: 'a time (HH:MM:SS)',
  json: 'JSON',
  object: 'a JSON object',
  array: 'a JSON array',
}

type ScalarType = Exclude<Literal['type'], 'json'>

const scalar = (type: ScalarType, text: string | null | undefined): Literal | null =>
  text === null || text === undefined ? null : { type, text }

/** Plain digits of a number or of a text that spells one. */
function numberText(value: Json): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && isNumericText(value) ? value : null
}

// Beyond bigint the comparison uses numeric: the result is correct, and no value is out of range.
function toInteger(text: string | null): Literal | null {
  if (text === null) return null
  const isWhole = /^[+-]?\d{1,18}$/.test(text)
  return { type: isWhole ? 'bigint' : 'numeric', text }
}

// Converted by JavaScript, because PostgreSQL refuses text that rounds to zero or infinity.
function toFloat(text: string | null): Literal | null {
  const value = Number(text)
  return text === null || !Number.isFinite(value) ? null : { type: 'float8', text: String(value) }
}

/** Relative times, epoch milliseconds, also as text; restores a `+` of the time zone that a URL made a space. */
function instantOf(value: Json): string | null {
  if (typeof value !== 'string') return parseInstant(value)
  if (value.startsWith('$')) return relativeTime(value)
  if (/^-?\d{9,15}$/.test(value)) return parseInstant(Number(value))
  return parseInstant(value.replace(/(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$/, '$1+$2'))
}

// An instant within a day is compared as such: it equals no date, but is before or after one.
function toDate(instant: string | null): Literal | null {
  if (instant === null) return null
  return instant.endsWith('T00:00:00.000Z')
    ? { type: 'date', text: instant.slice(0, 10) }
    : { type: 'timestamptz', text: instant }
}

function onlyContainer(literal: Literal, accepts: (value: Json) => boolean): Literal | null {
  if (literal.type !== 'json' || literal.container === null) return null
  return accepts(JSON.parse(literal.container) as Json) ? literal : null
}

/** How `value` is compared inside JSON: `5` and `"5"` are equal, and so are `{…}` and its text. */
function toJsonLiteral(value: Json): JsonLiteral {
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
