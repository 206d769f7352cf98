import type { Json } from '@/lib/json'

const INTEGER = /^[+-]?\d{1,19}$/
const DECIMAL = /^[+-]?(\d{1,500}(\.\d{0,500})?|\.\d{1,500})([eE][+-]?\d{1,2})?$/
const INT64_MAX = 2n ** 63n - 1n

export type NumericLimits = { integer: boolean; min?: number; max?: number }

/**
 * Whether a number, or text that spells one so that no digit is lost, is within the limits: 64 bits
 * for integers, 500 digits before and after the point for decimals.
 */
export function isNumeric(value: Json, { integer, min, max }: NumericLimits): boolean {
  if (typeof value === 'number') return integer ? Number.isSafeInteger(value) : isWithin(value)
  if (typeof value !== 'string') return false
  if (!integer) return DECIMAL.test(value) && isWithin(Number(value))
  return INTEGER.test(value) && isInt64(BigInt(value.replace('+', ''))) && isWithin(Number(value))

  function isWithin(number: number): boolean {
    return (
      Number.isFinite(number) &&
      (min === undefined || number >= min) &&
      (max === undefined || number <= max)
    )
  }
}

const isInt64 = (value: bigint): boolean => value >= -INT64_MAX - 1n && value <= INT64_MAX

/** One spelling for each number, to compare keys by: `+1.50` and `15e-1` are both `1.5`. */
export function canonicalNumber(value: number | string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value || 0)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(String(value)) ?? []
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction).padStart(
    whole.length + fraction.length - Math.min(point, 0),
    '0',
  )
  const at = Math.max(point, 0)
  const integer =
    digits
      .slice(0, at)
      .padEnd(at, '0')
      .replace(/^0+(?=\d)/, '') || '0'
  const rest = digits.slice(at).replace(/0+$/, '')
  const text = rest ? `${integer}.${rest}` : integer
  return sign === '-' && text !== '0' ? `-${text}` : text
}
