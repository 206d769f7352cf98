import { type SQL, sql } from 'drizzle-orm'
import { parseDate } from '@/lib/values/parse-datetime'
import {
  asStored,
  castTo,
  DAY,
  type FieldKind,
  isDayOfMonth,
  type Literal,
  matching,
  plainJson,
  textOf,
  whenOfType,
} from './field-kind'
import { nounOf } from './kind'
import { DATE_OBJECT, meantInstant } from './moment'

export const date: FieldKind = {
  types: { date: {} },
  jsonSchemaFormats: { date: 'date' },
  keyStrategies: ['Fixed'],

  words: () => `${nounOf('date')} as YYYY-MM-DD`,
  accepts: (value) => parseDate(value) !== null,
  sentAs: () => ['string', 'object'],
  isParsed: true,
  isSpelt: () => false,
  range: () => null,
  keywords: () => ({}),
  stored: () => parseDate,
  equalText: null,
  now: { text: (instant) => instant.slice(0, 10), sql: sql`(now() at time zone 'UTC')::date` },

  column: () => 'date',
  served: asStored,
  fromRow: null,
  dependsOnSettings: true,
  fitsText,
  fromText: (text) => castTo(text, 'date'),
  fitsJson: (value) => {
    const json = plainJson(value)
    return whenOfType(json, 'string', fitsText(sql`trim(${textOf(json)})`))
  },
  fromJson: (json) => castTo(textOf(plainJson(json)), 'date'),

  comparedAs: 'date',
  literal: (value) => toDate(meantInstant(value)),
  isSummed: false,
  isFoundByValue: true,

  sheetCell: 'text',
  csvCell: 'value',
  tableText: null,
  readCell: 'trimmed text',
  proposals: [
    {
      type: 'date',
      fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && parseDate(text) !== null,
    },
  ],

  schema: { type: 'string', format: 'date' },
  typescript: 'string',
  typescriptObject: DATE_OBJECT,
  sample: () => '2026-01-31',
  sampleCondition: { operator: 'gte', value: '2000-01-01' },
}

// An instant within a day is compared as such: it equals no date, but is before or after one.
function toDate(instant: string | null): Literal | null {
  if (instant === null) return null
  return instant.endsWith('T00:00:00.000Z')
    ? { type: 'date', text: instant.slice(0, 10) }
    : { type: 'timestamptz', text: instant }
}

function fitsText(text: SQL): SQL {
  return matching(text, `^${DAY}$`, isDayOfMonth(text))
}
