/** Of numbers without an exponent, as JavaScript writes them. */
const LONGEST_DOUBLE = 26

/**
 * Whether the number `[from, end)` is written as a double is, which then has all its digits.
 * @param {Buffer} bytes
 */
export function isDouble(bytes, from, end) {
  if (end - from > LONGEST_DOUBLE) return false
  const digits = bytes.toString('latin1', from, end)
  const number = Number(digits)
  return String(number) === digits && (Number.isSafeInteger(number) || !Number.isInteger(number))
}
