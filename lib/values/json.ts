import { buildJson } from './json-parser/build'
import { type JsonLimits, scanJson } from './json-parser/scan'
import { JsonSyntaxError } from './json-parser/syntax-error'

export { MAX_NESTING } from './json-parser/scan'
export { JsonSyntaxError, TooManyValuesError } from './json-parser/syntax-error'

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type JsonOptions = JsonLimits & {
  /** Returns numbers that a double would round as marked text (see `literalOf`). */
  exactly?: boolean
}

/**
 * Parses JSON in UTF-8 (a byte order mark is allowed). `__proto__` becomes an ordinary own key.
 * Throws `JsonSyntaxError` with the position of the first error, also for more than `MAX_NESTING`
 * levels, and `TooManyValuesError`.
 */
export function parseJson(input: Uint8Array | string, options: JsonOptions = {}): Json {
  const text = typeof input === 'string' ? input : decodeUtf8(input)
  const inexact = finish(scanJson(text, options))
  return JSON.parse(options.exactly ? markNumbers(text, inexact) : text) as Json
}

/** As `parseJson`, but yields between its steps. */
export function* parseJsonInSteps(
  input: Uint8Array,
  options: JsonOptions = {},
): Generator<undefined, Json> {
  const text = decodeUtf8(input)
  const inexact = yield* scanJson(text, options)
  return yield* buildJson(text, (open, from, to, close) => {
    const piece = options.exactly ? markNumbers(text, inexact, from, to) : text.slice(from, to)
    return JSON.parse(open + piece + close) as Json
  })
}

function finish<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}

/** A plain JSON object, neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonSyntaxError('Not valid UTF-8', 0, 1, 1)
  }
}

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
function markNumbers(text: string, inexact: readonly number[], from = 0, to = text.length): string {
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
