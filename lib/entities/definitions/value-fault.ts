import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import { isObject, type Json } from '@/lib/json'
import type { Kind, Property } from '../definition'
import { describeType } from './faults'
import { integerRange } from './property-types'

/** Why a value can't be one of the property's (`must be …`), or null. `null` itself is not judged. */
export function valueFault(property: Property, value: Json): string | null {
  const { kind, rules, type } = property
  if (!KINDS[kind](value)) return `must be ${KIND_NAMES[kind]}, not ${describeType(value)}`
  if (typeof value === 'number' && kind === 'integer') {
    const { min, max } = integerRange(type)
    if (value < min || value > max) return `must be between ${min} and ${max}`
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
  if (rules.pattern !== undefined && !matchesPattern(rules.pattern, value))
    return `must match ${rules.pattern}`
  const hasFormat = FORMATS.get(rules.format ?? '')
  return hasFormat && !hasFormat(value) ? `must be a valid ${rules.format}` : null
}

const compiled = new Map<string, RE2JS>()

/** Whether the pattern is found anywhere in the text, in linear time. */
export function matchesPattern(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern)
  if (!expression) {
    if (compiled.size >= 1_000) compiled.clear()
    expression = RE2JS.compile(pattern)
    compiled.set(pattern, expression)
  }
  return expression.matcher(text).find()
}

const FORMATS = new Map<string, (text: string) => boolean>([
  ['email', (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 320],
  ['url', (text) => URL.canParse(text)],
  ['uuid', (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)],
  ['phone', (text) => /^\+?[0-9 ()./-]{3,32}$/.test(text)],
])

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

const KINDS: Record<Kind, (value: Json) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  float: (value) => Number.isFinite(value),
  decimal: (value) => Number.isFinite(value) || (typeof value === 'string' && isDecimal(value)),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => isDate(value),
  datetime: (value) => isDateTime(isObject(value) && value.$date ? value.$date : value),
  time: (value) => typeof value === 'string' && TIME.test(value),
  json: () => true,
  object: isObject,
  array: Array.isArray,
}

const isDecimal = (text: string) => /^-?\d{1,1000}(\.\d{1,1000})?$/.test(text)
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/
const ZONE = /(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/

function isDate(value: Json): boolean {
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function isDateTime(value: Json): boolean {
  if (typeof value !== 'string') return false
  if (!isDate(value.slice(0, 10))) return false
  const time = value.slice(10)
  return time === '' || (/^[T ]/.test(time) && TIME.test(time.slice(1).replace(ZONE, '')))
}
