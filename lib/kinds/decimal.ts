import { type SQL, sql } from 'drizzle-orm'
import { isNumberValue } from '@/lib/values/number-value'
import { isJsonNumber } from '@/lib/values/numeric-text'
import {
  type FieldKind,
  isOfType,
  matching,
  NUMBER,
  scalar,
  textOf,
  whenOfType,
} from './field-kind'
import { nounOf } from './kind'
import { numbers, numberText, numeric, SPELT, within } from './number'

export const decimal: FieldKind = {
  ...numbers(() => 'numeric'),
  types: { decimal: {}, price: {}, percentage: {} },

  words: () => `${nounOf('decimal')}${SPELT}`,
  accepts: (value) => isNumberValue(value, { integer: false }),
  sentAs: () => ['number', 'string'],
  isSpelt: () => true,
  range: () => null,
  keywords: (limits) => numeric(false, limits),

  fitsText,
  fitsJson: (json) =>
    whenOfType(json, 'string', fitsText(sql`trim(${textOf(json)})`), isOfType(json, 'number')),

  comparedAs: 'numeric',
  literal: (value) => scalar('numeric', numberText(value)),
  isFoundByValue: true,

  proposals: [
    {
      type: 'decimal',
      fits: (text) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && isJsonNumber(text),
    },
  ],

  schema: { type: 'number' },
  sample: (limits) => within(12.5, limits),
}

function fitsText(text: SQL): SQL {
  return matching(text, NUMBER)
}
