import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json } from '@/lib/values/json'
import { isNumberValue } from '@/lib/values/number-value'
import { isTime, parseDate, parseDatetime } from '@/lib/values/parse-datetime'
import type { Kind, Property } from './definition'
import { describeType } from './definition-faults'
import { FORMAT_NAMES, matchesFormat } from './formats'
import { integerRange } from './property-types'
import { storedPattern, tooLongToMatch } from './text-pattern'

/** Why a value is not valid for the property (`must be …`), or null. Does not check `null` itself. */
export function valueFault(property: Property, value: Json): string | null {
  const { kind, rules, type } = property
  if (!isOfKind(property, value)) return `must be ${KIND_NAMES[kind]}, not ${describeType(value)}`
  const keepsDigits = kind === 'decimal' || type === 'bigint'
  if (keepsDigits && typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return 'must be written as text to keep its digits: beyond ±9007199254740991 numbers are rounded'
  if (kind === 'integer') {
    const { min, max } = integerRange(type)
    if (Number(value) < min || Number(value) > max) return `must be between ${min} and ${max}`
  }
  if (rules.enum && !rules.enum.some((member) => isDeepStrictEqual(member, value)))
    return 'must be one of the values of enum'
  if (typeof value === 'string' && kind === 'text') return textFault(property, value)
  if (rules.min !== undefined && Number(value) < rules.min) return `must be at least ${rules.min}`
  if (rules.max !== undefined && Number(value) > rules.max) return `must be at most ${rules.max}`
  return null
}

function textFault({ rules }: Property, value: string): string | null {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = rules
  const length = [...value].length
  if (length < minLength) return `must have at least ${minLength} characters`
  if (length > maxLength) return `must have at most ${maxLength} characters`
  const mismatch = rules.pattern === undefined ? null : patternFault(rules.pattern, value)
  if (mismatch) return mismatch
  const { format, required } = rules
  if (format === undefined || (value === '' && !required)) return null
  return matchesFormat(value, format) ? null : `must be ${FORMAT_NAMES[format]}`
}

function patternFault(pattern: string, text: string): string | null {
  const { maxChars, isFoundIn } = storedPattern(pattern)
  if (text.length > maxChars) return tooLongToMatch(maxChars)
  return isFoundIn(text) ? null : `must match ${pattern}`
}

const KIND_NAMES: Record<Kind, string> = {
  text: 'text',
  integer: 'a whole number',
  float: 'a number',
  decimal: 'a number',
  boolean: 'true or false',
  date: 'a date like 2024-12-31',
  datetime: 'a time like 2024-12-31T23:59:59Z',
  time: 'a time of day like 23:59:59',
  json: 'JSON',
  object: 'an object',
  array: 'a list',
}

const isOfKind = ({ kind, type }: Property, value: Json): boolean =>
  (type === 'bit' && (value === 0 || value === 1)) ||
  (type === 'bigint' && isNumberValue(value, { integer: true })) ||
  KINDS[kind](value)

const KINDS: Record<Kind, (value: Json) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  float: (value) => Number.isFinite(value),
  decimal: (value) => isNumberValue(value, { integer: false }),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => parseDate(value) !== null,
  datetime: (value) => parseDatetime(value) !== null,
  time: (value) => typeof value === 'string' && isTime(value),
  json: () => true,
  object: isObject,
  array: Array.isArray,
}
