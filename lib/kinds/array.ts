import { sql } from 'drizzle-orm'
import { type FieldKind, isOfType } from './field-kind'
import { containerLiteral, json, parsedJson } from './json'
import { nounOf } from './kind'

export const array: FieldKind = {
  ...json,
  types: { array: {} },
  words: () => nounOf('array'),
  accepts: Array.isArray,
  sentAs: () => ['array'],
  fitsText: () => sql`false`,
  fitsJson: (value) => isOfType(value, 'array'),
  literal: (value) => containerLiteral(value, Array.isArray),
  isSummed: false,
  proposals: [
    { type: 'array', fits: (text) => text.startsWith('[') && Array.isArray(parsedJson(text)) },
  ],
  schema: { type: 'array', items: {} },
  typescript: 'Json[]',
  sample: () => ['one', 'two'],
}
