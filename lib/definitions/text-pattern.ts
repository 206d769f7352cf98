import { RE2JS } from 're2js'
import { recordMatching } from './matching-cost'

/**
 * Patterns use RE2, whose time grows with the text's length times the steps of the compiled
 * pattern. Both are bounded, so that no pattern or text delays other requests.
 */
export type TextPattern = {
  /** The longest text that is matched; longer texts are refused. */
  maxChars: number
  /** Whether the pattern is found anywhere in the text. */
  isFoundIn: (text: string) => boolean
}

/** `^.{1,1000}$` has 2,003. */
const MAX_STEPS = 2_500
/** Steps times characters of one match: about 50 ms when every step is active at every character. */
const MAX_WORK = 700_000
/** For patterns that match from the start of the text with few active steps at a time. */
const MAX_BOUNDED_WORK = 2_500_000
const MAX_PATTERN_CHARS = 1_000
/** In a case-insensitive pattern, each range is folded character by character when it is compiled. */
const MAX_FOLDED_RANGES = 10

const compiled = new Map<string, TextPattern>()

/** Compiles a pattern; throws an Error that says why it is invalid. */
export function textPattern(pattern: string): TextPattern {
  const known = compiled.get(pattern)
  if (known) return known
  // Compiling takes much time and memory, so the cheap check comes first.
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new Error(`too long: ${pattern.length} characters, at most ${MAX_PATTERN_CHARS}`)
  refuseFoldedRanges(pattern)
  const expression = compile(pattern)
  const steps = expression.programSize()
  if (steps > MAX_STEPS) throw new Error(`too complex: ${steps} steps, at most ${MAX_STEPS}`)
  const made = {
    maxChars: Math.floor((isBounded(pattern) ? MAX_BOUNDED_WORK : MAX_WORK) / steps),
    // `test` would build an automaton of thousands of large states.
    isFoundIn: (text: string) =>
      recordMatching(steps * text.length, () => expression.matcher(text).find()),
  }
  if (compiled.size >= 1_000) compiled.clear()
  compiled.set(pattern, made)
  return made
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw patternFault(error)
  }
}

/** A pattern of an installed definition; a pattern that is no longer valid matches nothing. */
export function storedPattern(pattern: string): TextPattern {
  try {
    return textPattern(pattern)
  } catch {
    return { maxChars: 0, isFoundIn: () => false }
  }
}

/** Whether it is anchored at the start and has neither alternatives nor unbounded repetition. */
const isBounded = (pattern: string) => /^\^[^*+|]*$/.test(pattern) && !/,\}/.test(pattern)

function refuseFoldedRanges(pattern: string): void {
  if (!/\(\?[a-zA-Z]*i/.test(pattern)) return
  const ranges = pattern.split('-').length - 1
  if (ranges > MAX_FOLDED_RANGES)
    throw new Error(`too complex: ${ranges} ranges with (?i), at most ${MAX_FOLDED_RANGES}`)
}

/** Follows the field's name. */
export const tooLongToMatch = (maxChars: number): string =>
  `is too long to be matched against the pattern: at most ${maxChars} characters`

/** What RE2 says of a pattern, in plain words. */
const WORDS: Record<string, string> = {
  'missing closing ]': 'a "[" is not closed by "]"',
  'missing closing )': 'a "(" is not closed by ")"',
  'unexpected )': 'a ")" closes no "("',
  'missing argument to repetition operator':
    'nothing stands before it that could be repeated; write "\\" before it to find it as it is',
  'invalid nested repetition operator': 'what is repeated already can’t be repeated again',
  'invalid repeat count': 'repetitions are {n}, {n,} or {n,m}, from small to large, at most 1000',
  'invalid character class range': 'this is no range or class of characters',
  'invalid escape sequence': 'this escape is not known; write "\\\\" for a backslash',
  'trailing backslash at end of expression': 'it ends with a backslash that escapes nothing',
  'invalid named capture': 'a named group is (?P<name>…)',
  'invalid or unsupported Perl syntax':
    'this kind of group is not known; lookaround and back references are not supported',
}

const SHAPE = /^error parsing regexp: (.*?)(?:: `([\s\S]*)`)?$/
const MAX_SHOWN = 40

/** Why RE2 refuses a pattern; completes "The pattern is". Other errors are returned as they are. */
function patternFault(error: unknown): unknown {
  const [, reason = '', part] = SHAPE.exec(error instanceof Error ? error.message : '') ?? []
  if (reason === '') return error
  const place = part === undefined ? '' : ` at ${JSON.stringify(part.slice(0, MAX_SHOWN))}`
  return new Error(`invalid${place}: ${WORDS[reason] ?? reason}`, { cause: error })
}
