import type { Json } from './json'

// Half of a surrogate pair: no text that is stored or searched for can begin so.
const MARK = '\ud800#'
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`
const MARKED = new RegExp(`^${MARK}(${NUMBER})$`)
const MARK_ESCAPED = new RegExp(String.raw`"\\ud800#(${NUMBER})"`, 'g')
// Escapes are taken one by one, so that the second half of `\\` begins none.
const ESCAPE = /\\(ud800(?:#|\\u0023)|.)/gis
const FORGED = /\\ud800(?:#|\\u0023)/i

/** A stretch `[from, to)` of a text. */
export type Span = readonly [from: number, to: number]

/** Whether somebody may have written a mark into the JSON text. */
export const mayHoldMarks = (text: string): boolean => FORGED.test(text)

/**
 * The JSON text with the numbers at `spans` as marked text, which `JSON.parse` can't round. A mark that
 * somebody wrote is broken, and stays text that can't be stored.
 */
export function markNumbers(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let done = 0
  const take = (to: number) => parts.push(breakMarks(text.slice(done, to)))
  for (const [from, to] of spans) {
    take(from)
    parts.push(`"\\ud800#${text.slice(from, to)}"`)
    done = to
  }
  take(text.length)
  return parts.join('')
}

const breakMarks = (text: string): string =>
  mayHoldMarks(text)
    ? text.replace(ESCAPE, (whole, what: string) => (what.length > 1 ? '\\ud800\\ufffd#' : whole))
    : text

/** The digits of a marked number as they were sent; null for every other value. */
export const literalOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.startsWith(MARK) ? (MARKED.exec(value)?.[1] ?? null) : null

/** JSON text in which marked numbers are numbers again, with all their digits. */
export const stringifyExactly = (value: Json): string => unmarkNumbers(JSON.stringify(value))

/** The same for a value that is JSON text already. */
export const unmarkNumbers = (text: string): string =>
  text.includes('"\\ud800#') ? text.replace(MARK_ESCAPED, '$1') : text
