import { type SQL, sql } from 'drizzle-orm'
import { isJsonNumber } from '@/lib/values/numeric-text'
import { type FieldKind, type Literal, matching, NUMBER, textOf, whenOfType } from './field-kind'
import { nounOf } from './kind'
import { bounds, floatFits, numbers, numberText, within } from './number'

export const float: FieldKind = {
  ...numbers(() => 'double precision'),
  types: { number: {}, float: {}, double: {} },

  words: () => nounOf('float'),
  accepts: (value) => Number.isFinite(value),
  sentAs: () => ['number'],
  isSpelt: () => false,
  range: () => null,
  keywords: (limits) => bounds(limits),

  fitsText,
  fitsJson: (json) => {
    const text = textOf(json)
    const number = whenOfType(json, 'number', floatFits(text))
    return whenOfType(json, 'string', fitsText(sql`trim(${text})`), number)
  },

  comparedAs: 'float8',
  literal: (value) => toFloat(numberText(value)),
  isFoundByValue: false,

  proposals: [{ type: 'number', fits: isJsonNumber }],

  schema: { type: 'number' },
  sample: (limits) => within(12.5, limits),
}

// Converted by JavaScript, because PostgreSQL refuses text that rounds to zero or infinity.
function toFloat(text: string | null): Literal | null {
  const value = Number(text)
  return text === null || !Number.isFinite(value) ? null : { type: 'float8', text: String(value) }
}

function fitsText(text: SQL): SQL {
  return matching(text, NUMBER, floatFits(text))
}
