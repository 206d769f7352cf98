import type { Json } from './json'

const INTEGER = /^[+-]?\d{1,19}$/
const DECIMAL = /^[+-]?(\d{1,500}(\.\d{0,500})?|\.\d{1,500})([eE][+-]?\d{1,2})?$/
const INT64_MAX = 2n ** 63n - 1n

export type NumericLimits = { integer: boolean; min?: number; max?: number }

/**
 * Whether a number, or a text that holds one with all its digits, is within the limits: 64 bits
 * for integers, 500 digits before and after the point for decimals.
 */
export function isNumberValue(value: Json, { integer, min, max }: NumericLimits): boolean {
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
