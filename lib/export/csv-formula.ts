/**
 * What a spreadsheet takes for the start of a formula: `=`, `+`, `-`, `@`, tab, CR, LF, and the wide
 * forms of the first four (OWASP, CSV Injection).
 */
export const FORMULA_STARTERS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

/**
 * A place inside a text where a spreadsheet with another separator, or one that overlooks our quotes,
 * begins a new cell with a formula. An expression of PostgreSQL and JavaScript alike.
 */
export const INNER_FORMULA = '([;|\\t\\r\\n][ "]*)([-=+@＝＋－＠])'

/** The text with an apostrophe before whatever a spreadsheet would run. */
export function withoutFormulas(text: string): string {
  const inner = text.replace(new RegExp(INNER_FORMULA, 'g'), "$1'$2")
  return FORMULA_STARTERS.some((starter) => text.startsWith(starter)) ? `'${inner}` : inner
}
