/**
 * What a spreadsheet takes for the start of a formula: `=`, `+`, `-`, `@`, tab, CR, LF, and the
 * full-width forms of the first four (OWASP, CSV Injection); also behind apostrophes, so that one that
 * was added can be told from those that were there. An expression for PostgreSQL and JavaScript alike.
 */
export const FORMULA_START = "^('*[-=+@\\t\\r\\n＝＋－＠])"

/**
 * A position inside a text where a spreadsheet with another separator, or one that ignores our quotes,
 * starts a new cell with a formula.
 */
export const INNER_FORMULA = '([;|\\t\\r\\n][ "]*)(\'*[-=+@＝＋－＠])'

/** The text with an apostrophe before everything that a spreadsheet would run. */
export const withoutFormulas = (text: string): string =>
  text.replace(new RegExp(INNER_FORMULA, 'g'), "$1'$2").replace(new RegExp(FORMULA_START), "'$1")

const ADDED_START = new RegExp(FORMULA_START.replace('^(', "^'("))
const ADDED_INNER = new RegExp(INNER_FORMULA.replace(')(', ")'("), 'g')

/** The text before `withoutFormulas`: without the apostrophes that it added. */
export const withFormulas = (text: string): string =>
  text.includes("'") ? text.replace(ADDED_START, '$1').replace(ADDED_INNER, '$1$2') : text

/** Separators that JSON has only inside strings, where they can be written as escapes. A pattern for PostgreSQL and JavaScript alike. */
export const JSON_SEPARATORS = [
  [';(?= *[-=+@＝＋－＠])', 'u003b'],
  ['[|](?= *[-=+@＝＋－＠])', 'u007c'],
] as const

/** The same for JSON text, which stays the same JSON. */
export const jsonWithoutFormulas = (json: string): string =>
  JSON_SEPARATORS.reduce(
    (text, [pattern, code]) => text.replace(new RegExp(pattern, 'g'), `\\${code}`),
    json,
  )
