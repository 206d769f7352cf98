const NUMERIC = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const MAX_LENGTH = 400
const MAX_EXPONENT = 1000

/**
 * Whether `text` is a decimal number within the limits of PostgreSQL's `numeric`: 131,072 digits
 * before the point and 16,383 after it.
 */
export function isNumericText(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const exponent = NUMERIC.exec(text)?.[2]
  if (exponent) return Math.abs(Number(exponent.slice(1))) <= MAX_EXPONENT
  return NUMERIC.test(text)
}

/** Whether `text` is a JSON number within the limits of `numeric`. */
export const isJsonNumber = (text: string): boolean =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && isNumericText(text)
