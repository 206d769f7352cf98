import { type SQL, sql } from 'drizzle-orm'
import { isNumberValue } from '@/lib/values/number-value'
import { type FieldKind, type Literal, matching, textOf, whenOfType, wholeFits } from './field-kind'
import { nounOf } from './kind'
import { bounds, numbers, numberText, numeric, SPELT, within } from './number'

const isSmall = (type: string) => type === 'smallint' || type === 'tinyint'
const isBig = (type: string) => type === 'bigint'
const columnOf = (type: string) => (isSmall(type) ? 'smallint' : 'bigint')

export const integer: FieldKind = {
  ...numbers(columnOf),
  types: { integer: {}, smallint: {}, tinyint: {}, bigint: {} },

  words: (type) => `${nounOf('integer')}${isBig(type) ? SPELT : ''}`,
  accepts: (value, type) =>
    Number.isInteger(value) || (isBig(type) && isNumberValue(value, { integer: true })),
  sentAs: (type) => (isBig(type) ? ['number', 'string'] : ['integer']),
  isSpelt: isBig,
  range,
  keywords: (limits) => {
    if (isBig(limits.type)) return numeric(true, limits)
    const { min, max } = range(limits.type)
    return bounds(limits, min, max)
  },

  fitsText,
  fitsJson: (json, type) => {
    const whole = wholeFits(sql`${textOf(json)}::numeric`, columnOf(type))
    const text = sql`trim(${textOf(json)})`
    return whenOfType(json, 'string', fitsText(text, type), whenOfType(json, 'number', whole))
  },

  comparedAs: 'bigint',
  literal: (value) => toInteger(numberText(value)),
  isFoundByValue: true,

  // Texts such as 00123 are codes, which a number would alter.
  proposals: [{ type: 'integer', fits: (text) => /^-?(0|[1-9]\d{0,14})$/.test(text) }],

  schema: { type: 'integer' },
  sample: (limits) => Math.ceil(within(42, limits)),
}

/**
 * The range of an integer type. JSON numbers are exact up to 2^53 only; a `bigint` beyond that is
 * sent as text.
 */
function range(type: string): { min: number; max: number } {
  if (isSmall(type)) return { min: -32_768, max: 32_767 }
  if (isBig(type)) return { min: -(2 ** 63), max: 2 ** 63 }
  return { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
}

// Beyond bigint the comparison uses numeric: the result is correct, and no value is out of range.
function toInteger(text: string | null): Literal | null {
  if (text === null) return null
  const isWhole = /^[+-]?\d{1,18}$/.test(text)
  return { type: isWhole ? 'bigint' : 'numeric', text }
}

function fitsText(text: SQL, type: string): SQL {
  return matching(text, '^[-+]?[0-9]{1,19}$', wholeFits(sql`${text}::numeric`, columnOf(type)))
}
