import type { JsonObject } from '@/lib/values/json'
import type { RawProperty } from './raw-property'

/** Converts `exclusiveMinimum` and `exclusiveMaximum` to inclusive bounds, where they are tighter. */
export function addExclusiveBounds(
  json: JsonObject,
  pointer: string,
  rules: RawProperty['rules'],
): void {
  for (const [keyword, rule, sign] of EXCLUSIVE) {
    const bound = json[keyword]
    if (typeof bound !== 'number') continue
    const inclusive = [json.type].flat().includes('integer')
      ? nextInteger(bound, sign)
      : nextNumber(bound, sign)
    const input = rules.get(rule)?.value
    const isTighter = typeof input !== 'number' || (inclusive - input) * sign > 0
    if (isTighter) rules.set(rule, { value: inclusive, pointer: `${pointer}/${keyword}` })
  }
}

const EXCLUSIVE = [
  ['exclusiveMinimum', 'min', 1],
  ['exclusiveMaximum', 'max', -1],
] as const

const nextInteger = (bound: number, sign: 1 | -1) =>
  sign === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1

/** The adjacent double, which turns an exclusive bound into an inclusive one. */
function nextNumber(bound: number, sign: 1 | -1): number {
  if (bound === 0) return sign * Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([bound]).buffer)
  bits[0] = (bits[0] ?? 0n) + (bound > 0 === sign > 0 ? 1n : -1n)
  return new Float64Array(bits.buffer)[0] ?? bound
}
