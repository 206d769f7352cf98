import type { Json } from '@/lib/values/json'

const MAX_BIGINT = 2n ** 63n - 1n

/** The greatest whole number among values; a counter of type text may hold any text. */
export function greatestNumber() {
  let number = 0
  let long = 0n
  return {
    note(value: Json | undefined): void {
      if (typeof value === 'number') {
        if (value > number && Number.isSafeInteger(value)) number = value
      } else if (typeof value === 'string' && /^\+?\d{1,19}$/.test(value)) {
        const given = BigInt(value.replace('+', ''))
        if (given > long && given <= MAX_BIGINT) long = given
      }
    },
    /** 0 when there is none. */
    get: (): bigint => (BigInt(number) > long ? BigInt(number) : long),
  }
}
