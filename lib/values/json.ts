import { markNumbers } from './exact-numbers'
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
