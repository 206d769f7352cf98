import { RE2JS } from 're2js'
import { noteMatching } from './matching-cost'

/**
 * Patterns are of RE2, whose time grows with the text's length times the steps of the compiled
 * pattern. Both are bounded, so that no pattern and no text keep other requests waiting.
 */
export type TextPattern = {
  /** The longest text that is matched; longer ones are refused. */
  maxChars: number
  /** Whether the pattern is found anywhere in the text. */
  isFoundIn: (text: string) => boolean
}

/** `^.{1,1000}$` has 2,003. */
const MAX_STEPS = 2_500
/** Steps times characters of one match: some 50 ms where every step is alive at every character. */
const MAX_WORK = 700_000
/** Where the text has to match from its start and few steps are alive at a time. */
const MAX_BOUNDED_WORK = 2_500_000
const MAX_PATTERN_CHARS = 1_000
/** Where case does not count, each range is folded character by character when it is compiled. */
const MAX_FOLDED_RANGES = 10

const compiled = new Map<string, TextPattern>()

/** Compiles a pattern; throws an Error that says why it is none. */
export function textPattern(pattern: string): TextPattern {
  const known = compiled.get(pattern)
  if (known) return known
  // Compiling takes long and much memory, so it comes after.
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new Error(`too long: ${pattern.length} characters, at most ${MAX_PATTERN_CHARS}`)
  refuseFoldedRanges(pattern)
  const expression = RE2JS.compile(pattern)
  const steps = expression.programSize()
  if (steps > MAX_STEPS) throw new Error(`too complex: ${steps} steps, at most ${MAX_STEPS}`)
  const made = {
    maxChars: Math.floor((isBounded(pattern) ? MAX_BOUNDED_WORK : MAX_WORK) / steps),
    // `test` would build an automaton of states by the thousand, each as large as the pattern.
    isFoundIn: (text: string) =>
      noteMatching(steps * text.length, () => expression.matcher(text).find()),
  }
  if (compiled.size >= 1_000) compiled.clear()
  compiled.set(pattern, made)
  return made
}

/** A pattern of an installed definition: one that can't be used any more matches nothing. */
export function storedPattern(pattern: string): TextPattern {
  try {
    return textPattern(pattern)
  } catch {
    return { maxChars: 0, isFoundIn: () => false }
  }
}

/** Whether it starts at the text's start and has neither alternatives nor endless repetition. */
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
