import { canonicalNumber } from './canonical-number'
import type { Span } from './exact-numbers'

/** Levels of objects and arrays that a text may nest: what walks through values calls itself. */
export const MAX_NESTING = 500

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Looks through a well-formed JSON text: where it is nested too deeply, if it is, and which of its
 * numbers a double can't be trusted to hold digit by digit.
 */
export function scanJson(text: string): { tooDeepAt: number | null; inexact: Span[] } {
  const inexact: Span[] = []
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_NESTING) return { tooDeepAt: at, inexact }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at)
      if (!isExact(text, at, end)) inexact.push([at, end])
      at = end - 1
    }
  }
  return { tooDeepAt: null, inexact }
}

function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}

function endOfNumber(text: string, from: number): number {
  let at = from + 1
  while (isInNumber(text.charCodeAt(at))) at++
  return at
}

/** Digits, `.`, `-`, `+`, `e` and `E`. */
const isInNumber = (code: number) =>
  (code >= ZERO && code <= NINE) ||
  code === 0x2e ||
  code === MINUS ||
  code === 0x2b ||
  (code | 0x20) === 0x65

/** Every number of so many characters without an exponent comes out of a double as it went in. */
const SURELY_EXACT_CHARS = 15
const MAX_CHARS = 400
const MAX_EXPONENT = 400

function isExact(text: string, from: number, to: number): boolean {
  if (to - from <= SURELY_EXACT_CHARS && !hasExponent(text, from, to)) return true
  const digits = text.slice(from, to)
  const exponent = /[eE](.*)/.exec(digits)?.[1]
  if (digits.length > MAX_CHARS || Math.abs(Number(exponent ?? 0)) > MAX_EXPONENT) return false
  const number = Number(digits)
  // A double beyond 2^53 may stand for its neighbours, so nobody trusts it as a whole number.
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return false
  return Number.isFinite(number) && canonicalNumber(String(number)) === canonicalNumber(digits)
}

function hasExponent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true
  return false
}
