import { canonicalNumber } from '@/lib/values/canonical-number'
import { syntaxError } from './syntax-error'

/** Character codes of JSON's grammar. */
export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const SLASH = 0x2f
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
const PLUS = 0x2b
export const MINUS = 0x2d
const POINT = 0x2e

/** Blanks, tabs and ends of lines. */
export const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

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
  // As most are sent.
  if (String(number) === digits) return true
  return Number.isFinite(number) && canonicalNumber(String(number)) === canonicalNumber(digits)
}

function hasExponent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) | 0x20) === LETTER_E) return true
  return false
}

const [CARRIAGE_RETURN, LINE_FEED, LETTER_U] = [0x0d, 0x0a, 0x75]
const HEX = /[\da-f]{4}/iy
/** Characters after a backslash, except `u`. */
const ESCAPES = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)))

/** Index after the string that opens at `open`; throws `JsonSyntaxError` when it is not valid. */
export function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = lastOfEscape(text, at)
    else if (code < 0x20) {
      if (code === LINE_FEED || code === CARRIAGE_RETURN) break
      throw syntaxError(text, at, 'Control characters must be escaped')
    }
  }
  throw syntaxError(text, open, 'Unterminated string')
}

function lastOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at + 1)
  if (ESCAPES.has(code)) return at + 1
  if (code !== LETTER_U) throw syntaxError(text, at, 'Invalid escape')
  HEX.lastIndex = at + 2
  if (!HEX.test(text)) throw syntaxError(text, at, 'Invalid unicode escape')
  return at + 5
}

/** Index after the string that opens at `open`, in a text that is known to be JSON. */
export function skipString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return text.length
}
