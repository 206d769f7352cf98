import type { Json } from './json'

// Half of a surrogate pair: no text that is stored or searched for can begin with it.
const MARK = '\ud800#'
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`
const MARKED = new RegExp(`^${MARK}(${NUMBER})$`)
const MARK_ESCAPED = new RegExp(String.raw`"\\ud800#(${NUMBER})"`, 'g')
// Consumes escapes one by one, so that the second half of `\\` does not begin one.
const ESCAPE = /\\(ud800(?:#|\\u0023)|.)/gis
const FORGED = /\\ud800(?:#|\\u0023)/i

/**
 * The stretch `[from, to)` of a JSON text with its inexact numbers, flat pairs of `from, to` as
 * `scanJson` finds them, as marked text, which `JSON.parse` can't round. A mark in the text itself
 * is escaped, and remains text that can't be stored.
 */
export function markNumbers(
  text: string,
  inexact: readonly number[],
  from = 0,
  to = text.length,
): string {
  const parts: string[] = []
  let done = from
  for (let pair = firstFrom(inexact, from); (inexact[pair] ?? to) < to; pair += 2) {
    const [start = to, end = to] = inexact.slice(pair, pair + 2)
    parts.push(breakMarks(text.slice(done, start)), `"\\ud800#${text.slice(start, end)}"`)
    done = end
  }
  parts.push(breakMarks(text.slice(done, to)))
  return parts.join('')
}

/** Index of the first pair that begins at `from` or later. */
function firstFrom(pairs: readonly number[], from: number): number {
  let [low, high] = [0, pairs.length / 2]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pairs[middle * 2] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low * 2
}

const breakMarks = (text: string): string =>
  FORGED.test(text)
    ? text.replace(ESCAPE, (whole, what: string) => (what.length > 1 ? '\\ud800\\ufffd#' : whole))
    : text

/** The digits of a marked number as they were sent; null for every other value. */
export const literalOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.startsWith(MARK) ? (MARKED.exec(value)?.[1] ?? null) : null

/** A number of these digits, marked where a double would round it, or others like it. */
export function numberOf(digits: string): Json {
  const number = Number(digits)
  const isExact = String(number) === digits
  return isExact && (Number.isSafeInteger(number) || !Number.isInteger(number))
    ? number
    : MARK + digits
}

/** JSON text in which marked numbers are numbers again, with all their digits. */
export const stringifyExactly = (value: Json): string => unmarkNumbers(JSON.stringify(value))

/** The same for a value that is JSON text already. */
export const unmarkNumbers = (text: string): string =>
  text.includes('"\\ud800#') ? text.replace(MARK_ESCAPED, '$1') : text
