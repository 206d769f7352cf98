/**
 * Characters that a spreadsheet treats as the start of a formula: `=`, `+`, `-`, `@`, tab, CR, LF, and
 * the full-width forms of the first four (OWASP, CSV Injection).
 */
export const FORMULA_STARTERS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

/**
 * A position inside a text where a spreadsheet with another separator, or one that ignores our quotes,
 * starts a new cell with a formula. An expression for PostgreSQL and JavaScript alike.
 */
export const INNER_FORMULA = '([;|\\t\\r\\n][ "]*)([-=+@＝＋－＠])'

/** The text with an apostrophe before everything that a spreadsheet would run. */
export function withoutFormulas(text: string): string {
  const inner = text.replace(new RegExp(INNER_FORMULA, 'g'), "$1'$2")
  return FORMULA_STARTERS.some((starter) => text.startsWith(starter)) ? `'${inner}` : inner
}
