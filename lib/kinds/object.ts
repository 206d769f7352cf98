import { sql } from 'drizzle-orm'
import { isObject } from '@/lib/values/json'
import { type FieldKind, isOfType } from './field-kind'
import { containerLiteral, json, parsedJson } from './json'
import { nounOf } from './kind'

export const object: FieldKind = {
  ...json,
  types: { object: {} },
  words: () => nounOf('object'),
  accepts: isObject,
  sentAs: () => ['object'],
  fitsText: () => sql`false`,
  fitsJson: (value) => isOfType(value, 'object'),
  literal: (value) => containerLiteral(value, isObject),
  isSummed: false,
  proposals: [
    { type: 'object', fits: (text) => text.startsWith('{') && isObject(parsedJson(text)) },
  ],
  schema: { type: 'object' },
  typescript: 'JsonObject',
  sample: () => ({ note: 'any object' }),
}
