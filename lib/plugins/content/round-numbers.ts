import { fault, toPointer } from '@/lib/definitions/definition-faults'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { literalOf } from '@/lib/values/exact-numbers'
import { isObject, type Json } from '@/lib/values/json'

/**
 * The value with doubles in place of marked numbers (see `literalOf`);
 * `warnings` gets one for each. The limits in a definition are doubles; a default need not be one.
 */
export function roundNumbers(value: Json, warnings: FileDetail[], pointer = ''): Json {
  const digits = literalOf(value)
  if (digits !== null) {
    warnings.push(fault(pointer, roundingOf(digits, pointer)))
    return Number(digits)
  }
  const within = (item: Json, key: PropertyKey) =>
    roundNumbers(item, warnings, pointer + toPointer([key]))
  if (Array.isArray(value)) return value.map(within)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, within(item, key)]))
}

/** Values of decimals and `bigint` may be texts, which keep their digits. */
const VALUE = /\/(?:default|const|enum\/\d+)$/

function roundingOf(digits: string, pointer: string): string {
  const advice = VALUE.test(pointer) ? '; as text a decimal or bigint keeps its digits' : ''
  return `${digits.slice(0, 100)} is rounded to ${Number(digits)}, since numbers here have double precision${advice}`
}
