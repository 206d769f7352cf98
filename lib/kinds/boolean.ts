import { type SQL, sql } from 'drizzle-orm'
import type { JsonObject } from '@/lib/values/json'
import {
  asStored,
  castTo,
  type FieldKind,
  isOfType,
  scalar,
  textOf,
  whenOfType,
} from './field-kind'
import { nounOf } from './kind'

/** May be sent as 0 and 1. */
const isBit = (type: string) => type === 'bit'
const BITS = [true, false, 0, 1, null]

export const boolean: FieldKind = {
  types: { boolean: {}, bit: {} },
  jsonSchemaFormats: {},
  keyStrategies: ['Fixed'],

  words: (type) => (isBit(type) ? 'true, false, 1 or 0' : nounOf('boolean')),
  accepts: (value, type) =>
    typeof value === 'boolean' || (isBit(type) && (value === 0 || value === 1)),
  sentAs: (type) => (isBit(type) ? ['boolean', 'integer'] : ['boolean']),
  isParsed: false,
  isSpelt: () => false,
  range: () => null,
  keywords: ({ type }): JsonObject => (isBit(type) ? { enum: BITS } : {}),
  stored: (type) => (isBit(type) ? (value) => value === true || value === 1 : null),
  equalText: null,
  now: null,

  column: () => 'boolean',
  served: asStored,
  fromRow: null,
  dependsOnSettings: false,
  fitsText,
  fromText: (text) => castTo(text, 'boolean'),
  fitsJson: (json, type) => {
    const text = textOf(json)
    return isBit(type)
      ? sql`${text} in ('true', 'false', '0', '1')`
      : whenOfType(json, 'string', fitsText(sql`trim(${text})`), isOfType(json, 'boolean'))
  },
  fromJson: (json) => castTo(textOf(json), 'boolean'),

  comparedAs: 'boolean',
  literal: (value) =>
    scalar('boolean', /^\s*(true|false)\s*$/i.exec(String(value))?.[1]?.toLowerCase()),
  isSummed: false,
  isFoundByValue: true,

  sheetCell: 'boolean',
  csvCell: 'text',
  tableText: null,
  readCell: 'boolean',
  proposals: [{ type: 'boolean', fits: (text) => /^(true|false|yes|no)$/i.test(text) }],

  schema: { type: 'boolean' },
  typescript: 'boolean',
  typescriptObject: 'JsonObject',
  sample: () => true,
  sampleCondition: { operator: 'eq', value: true },
}

function fitsText(text: SQL): SQL {
  return sql`${text} in ('true', 'false')`
}
