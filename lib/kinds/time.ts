import { type SQL, sql } from 'drizzle-orm'
import { isTime, normaliseTime } from '@/lib/values/parse-datetime'
import {
  asStored,
  castTo,
  type FieldKind,
  matching,
  scalar,
  TIME,
  textOf,
  whenOfType,
} from './field-kind'
import { nounOf } from './kind'

const COLUMN = 'time without time zone'

export const time: FieldKind = {
  types: { time: {} },
  jsonSchemaFormats: { time: 'time' },
  keyStrategies: ['Fixed'],

  words: () => `${nounOf('time')} as HH:mm:ss`,
  accepts: (value) => typeof value === 'string' && isTime(value),
  sentAs: () => ['string'],
  isParsed: true,
  isSpelt: () => false,
  range: () => null,
  keywords: () => ({}),
  stored: () => normaliseTime,
  equalText: null,
  now: null,

  column: () => COLUMN,
  served: asStored,
  fromRow: null,
  dependsOnSettings: true,
  fitsText,
  fromText: (text) => castTo(text, COLUMN),
  fitsJson: (json) => whenOfType(json, 'string', fitsText(sql`trim(${textOf(json)})`)),
  fromJson: (json) => castTo(textOf(json), COLUMN),

  comparedAs: 'time',
  literal: (value) => {
    const text = typeof value === 'string' ? value.trim() : ''
    return scalar('time', isTime(text) ? text : null)
  },
  isSummed: false,
  isFoundByValue: false,

  sheetCell: 'text',
  csvCell: 'value',
  tableText: null,
  readCell: 'time of day',
  proposals: [{ type: 'time', fits: isTime }],

  schema: { type: 'string' },
  typescript: 'string',
  typescriptObject: 'JsonObject',
  sample: () => '08:30:00',
  sampleCondition: null,
}

function fitsText(text: SQL): SQL {
  return matching(text, `^${TIME}$`)
}
