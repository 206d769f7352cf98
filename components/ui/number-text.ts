import { LOCALE } from './locale'

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
