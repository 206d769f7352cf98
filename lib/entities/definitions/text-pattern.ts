import { RE2JS } from 're2js'

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
/** Steps times characters of one match: some 50 ms. */
const MAX_WORK = 2_500_000
/** Where case does not count, each range is folded character by character when it is compiled. */
const MAX_FOLDED_RANGES = 10

const compiled = new Map<string, TextPattern>()

/** Compiles a pattern; throws an Error that says why it is none. */
export function textPattern(pattern: string): TextPattern {
  const known = compiled.get(pattern)
  if (known) return known
  refuseFoldedRanges(pattern)
  const expression = RE2JS.compile(pattern)
  const steps = expression.programSize()
  if (steps > MAX_STEPS) throw new Error(`too complex: ${steps} steps, at most ${MAX_STEPS}`)
  const made = {
    maxChars: Math.floor(MAX_WORK / steps),
    // `test` would build an automaton of states by the thousand, each as large as the pattern.
    isFoundIn: (text: string) => expression.matcher(text).find(),
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

function refuseFoldedRanges(pattern: string): void {
  if (!/\(\?[a-zA-Z]*i/.test(pattern)) return
  const ranges = pattern.split('-').length - 1
  if (ranges > MAX_FOLDED_RANGES)
    throw new Error(`too complex: ${ranges} ranges with (?i), at most ${MAX_FOLDED_RANGES}`)
}

/** Follows the field's name. */
export const tooLongToMatch = (maxChars: number): string =>
  `is too long to be matched against the pattern: at most ${maxChars} characters`
