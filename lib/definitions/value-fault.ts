import { isDeepStrictEqual } from 'node:util'
import { FORMAT_NAMES, matchesFormat } from '@/lib/kinds/formats'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json } from '@/lib/values/json'
import type { Property } from './definition'
import { describeType } from './definition-faults'
import { storedPattern, tooLongToMatch } from './text-pattern'

/** Why a value is not valid for the property (`must be …`), or null. Does not check `null` itself. */
export function valueFault(property: Property, value: Json): string | null {
  const { rules, type } = property
  const kind = KINDS[property.kind]
  if (!kind.accepts(value, type)) return `must be ${kind.words(type)}, not ${describeType(value)}`
  const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (kind.isSpelt(type) && isRounded)
    return 'must be written as text to keep its digits: beyond ±9007199254740991 numbers are rounded'
  const range = kind.range(type)
  if (range && (Number(value) < range.min || Number(value) > range.max))
    return `must be between ${range.min} and ${range.max}`
  if (rules.enum && !rules.enum.some((member) => isDeepStrictEqual(member, value)))
    return 'must be one of the values of enum'
  if (typeof value === 'string' && isTextKind(property.kind)) return textFault(property, value)
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
