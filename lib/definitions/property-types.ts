import type { Kind } from './definition'

type BuiltInType = { kind: Kind; format?: string }

const text = { kind: 'text' } as const
const integer = { kind: 'integer' } as const
const float = { kind: 'float' } as const
const decimal = { kind: 'decimal' } as const

/** Every built-in type of properties, by its name in lower case. */
export const BUILT_IN_TYPES: ReadonlyMap<string, BuiltInType> = new Map<string, BuiltInType>([
  ['string', text],
  ['text', text],
  ['char', text],
  ['varchar', text],
  ['tinytext', text],
  ['mediumtext', text],
  ['longtext', text],
  ['email', { kind: 'text', format: 'email' }],
  ['phone', { kind: 'text', format: 'phone' }],
  ['url', { kind: 'text', format: 'url' }],
  ['uuid', { kind: 'text', format: 'uuid' }],
  ['integer', integer],
  ['smallint', integer],
  ['tinyint', integer],
  ['bigint', integer],
  ['number', float],
  ['float', float],
  ['double', float],
  ['decimal', decimal],
  ['price', decimal],
  ['percentage', decimal],
  ['boolean', { kind: 'boolean' }],
  ['bit', { kind: 'boolean' }],
  ['date', { kind: 'date' }],
  ['datetime', { kind: 'datetime' }],
  ['time', { kind: 'time' }],
  ['json', { kind: 'json' }],
  ['object', { kind: 'object' }],
  ['array', { kind: 'array' }],
])

/** The name by which types are looked up: `Date` with a capital is a datetime. */
export const typeKey = (name: string): string =>
  name === 'Date' ? 'datetime' : name.trim().toLowerCase()

/**
 * The range of an integer type. JSON numbers are exact up to 2^53 only; a `bigint` beyond that is
 * sent as text.
 */
export function integerRange(type: string): { min: number; max: number } {
  if (type === 'smallint' || type === 'tinyint') return { min: -32_768, max: 32_767 }
  if (type === 'bigint') return { min: -(2 ** 63), max: 2 ** 63 }
  return { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
}
