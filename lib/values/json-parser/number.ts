import { canonicalNumber } from '@/lib/values/canonical-number'
import { isDigit, MINUS, PLUS, POINT } from './chars'
import { syntaxError } from './syntax-error'

const ZERO = 0x30
const LETTER_E = 0x65

/**
 * Index after the number at `from` (RFC 8259 §6); throws `JsonSyntaxError` when it is not valid.
 */
export function endOfNumber(text: string, from: number): number {
  let at = text.charCodeAt(from) === MINUS ? from + 1 : from
  at = text.charCodeAt(at) === ZERO ? at + 1 : endOfDigits(text, at, from)
  if (text.charCodeAt(at) === POINT) at = endOfDigits(text, at + 1, from)
  if ((text.charCodeAt(at) | 0x20) !== LETTER_E) return at
  const sign = text.charCodeAt(at + 1)
  return endOfDigits(text, sign === MINUS || sign === PLUS ? at + 2 : at + 1, from)
}

/** At least one digit must be there. */
function endOfDigits(text: string, at: number, from: number): number {
  let end = at
  while (isDigit(text.charCodeAt(end))) end++
  if (end === at) throw syntaxError(text, from, 'Invalid number')
  return end
}

/** A double preserves every number of up to this many characters without an exponent. */
const SURELY_EXACT_CHARS = 15
const MAX_CHARS = 400
const MAX_EXPONENT = 400

/** Whether a double preserves all digits of the number `[from, to)`. */
export function isExact(text: string, from: number, to: number): boolean {
  if (to - from <= SURELY_EXACT_CHARS && !hasExponent(text, from, to)) return true
  if (to - from > MAX_CHARS) return false
  const digits = text.slice(from, to)
  const exponent = /[eE](.*)/.exec(digits)?.[1]
  if (Math.abs(Number(exponent ?? 0)) > MAX_EXPONENT) return false
  const number = Number(digits)
  // Beyond 2^53 a double may represent several integers, so it is not exact.
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return false
  return Number.isFinite(number) && canonicalNumber(String(number)) === canonicalNumber(digits)
}

function hasExponent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) | 0x20) === LETTER_E) return true
  return false
}
