import { type ParseError, parse as parseTolerantly, printParseErrorCode } from 'jsonc-parser'
import { markNumbers, mayHoldMarks } from './exact-numbers'
import { MAX_NESTING, scanJson } from './scan-json'

/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Where a text stops being JSON; `line` and `column` count from 1, `position` from 0. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'

  constructor(
    readonly reason: string,
    readonly position: number,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${reason} at line ${line}, column ${column}`)
  }
}

/**
 * Parses JSON in UTF-8 (a byte order mark is allowed). `__proto__` becomes an ordinary own key.
 * `exactly`: numbers that a double would round come as marked text (see `literalOf`). Throws
 * `JsonSyntaxError` with the place of the fault, also for more than `MAX_NESTING` levels.
 */
export function parseJson(input: Uint8Array | string, { exactly = false } = {}): Json {
  const text = typeof input === 'string' ? input : decodeUtf8(input)
  const value = parse(text)
  const { tooDeepAt, inexact } = scanJson(text)
  if (tooDeepAt !== null) {
    const reason = `Nested deeper than ${MAX_NESTING} levels`
    throw syntaxError(text, tooDeepAt, reason)
  }
  const mustMark = exactly && (inexact.length > 0 || mayHoldMarks(text))
  return mustMark ? parse(markNumbers(text, inexact)) : value
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw locate(error as SyntaxError, text)
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

// V8 names no position for some faults, so the place is found by a parser that always does.
function locate(error: SyntaxError, text: string): JsonSyntaxError {
  const faults = findFaults(text)
  const position = faults[0]?.offset ?? text.length
  const reason = faults[0] ? REASONS[printParseErrorCode(faults[0].error)] : undefined
  return syntaxError(
    text,
    position,
    reason ?? error.message.replace(/( in JSON)? at position.*/s, ''),
  )
}

function syntaxError(text: string, position: number, reason: string): JsonSyntaxError {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  return new JsonSyntaxError(reason, position, line, position - before.lastIndexOf('\n'))
}

// That parser calls itself once a level, so what is nested beyond reason has no place named.
function findFaults(text: string): ParseError[] {
  const faults: ParseError[] = []
  try {
    parseTolerantly(text, faults, { disallowComments: true, allowTrailingComma: false })
    return faults
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return []
  }
}

/** A syntax fault in words, by the parser's name for it. */
export const syntaxReason = (code: string): string => REASONS[code] ?? 'Not valid JSON'

const REASONS: Record<string, string> = {
  InvalidSymbol: 'Unexpected word',
  InvalidNumberFormat: 'Invalid number',
  PropertyNameExpected: 'Expected a property name in double quotes',
  ValueExpected: 'Expected a value',
  ColonExpected: 'Expected a colon',
  CommaExpected: 'Expected a comma',
  CloseBraceExpected: 'Expected a closing brace',
  CloseBracketExpected: 'Expected a closing bracket',
  EndOfFileExpected: 'Expected the end of the text',
  InvalidCommentToken: 'Comments are not allowed',
  UnexpectedEndOfString: 'Unterminated string',
  UnexpectedEndOfNumber: 'Unterminated number',
  InvalidUnicode: 'Invalid unicode escape',
  InvalidEscapeCharacter: 'Invalid escape',
  InvalidCharacter: 'Control characters must be escaped',
}
