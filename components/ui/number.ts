/** The language of the console, whose numbers and words of time it writes. */
export const LOCALE = 'en'

const integers = new Intl.NumberFormat(LOCALE)

/** `1,234,567` */
export const formatCount = (value: number): string => integers.format(value)

/** `3 files`, `1 file` */
export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`

/** `120 ms`, `3.4 s`, `2 min 5 s` */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/
const parts = new Intl.NumberFormat(LOCALE).formatToParts(1000.5)
const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
const [GROUP, POINT] = [partOf('group'), partOf('decimal')]
/** Four digits are read at a glance, and most of them are years. */
const GROUPED_FROM = 5

/**
 * The text of a number with its digits in groups: `1234567.50` → `1,234,567.50`. It works on the text, so
 * that no digit is lost; numbers with an exponent, and what is no number, stay as they are.
 */
export function groupDigits(text: string): string {
  const [, sign, whole = '', fraction] = PLAIN.exec(text) ?? []
  if (sign === undefined) return text
  const grouped = whole.length < GROUPED_FROM ? whole : whole.replace(/\B(?=(\d{3})+$)/g, GROUP)
  return `${sign}${grouped}${fraction === undefined ? '' : POINT + fraction}`
}

/** The number of digits after the point. */
export const decimalsOf = (text: string): number => PLAIN.exec(text)?.[3]?.length ?? 0
