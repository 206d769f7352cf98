/** A decimal number: `digits` × 10^-`scale`. */
type Decimal = { digits: bigint; scale: number }

/** The largest exponent of a number to calculate with: it becomes as many digits. */
const MAX_EXPONENT = 1_000

/** The sum of two JSON numbers, with all its digits. Throws `RangeError` for exponents beyond ±1,000. */
export function addDecimals(a: string, b: string): string {
  const [one, other] = [read(a), read(b)]
  const scale = Math.max(one.scale, other.scale)
  return write({ digits: scaled(one, scale) + scaled(other, scale), scale })
}

/** Their product, with all its digits. Throws as `addDecimals` does. */
export function multiplyDecimals(a: string, b: string): string {
  const [one, other] = [read(a), read(b)]
  return write({ digits: one.digits * other.digits, scale: one.scale + other.scale })
}

/** Whether the two can be called with this JSON number. */
export const isCalculable = (text: string): boolean =>
  Math.abs(Number(/[eE](.+)$/.exec(text)?.[1] ?? 0)) <= MAX_EXPONENT

const scaled = ({ digits, scale }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(to - scale)

function read(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim()) ?? []
  if (whole + fraction === '') throw new RangeError(`${text} is no number`)
  if (!isCalculable(text)) throw new RangeError(`${text} is too large`)
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function write({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const at = text.length - scale
  const fraction = text.slice(at).replace(/0+$/, '')
  return `${sign}${text.slice(0, at)}${fraction ? `.${fraction}` : ''}`
}
