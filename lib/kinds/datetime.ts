import { type SQL, sql } from 'drizzle-orm'
import { parseDatetime } from '@/lib/values/parse-datetime'
import {
  castTo,
  DAY,
  type FieldKind,
  isDayOfMonth,
  matching,
  plainJson,
  scalar,
  TIME,
  textOf,
  whenOfType,
} from './field-kind'
import { nounOf } from './kind'
import { DATE_OBJECT, meantInstant } from './moment'

const COLUMN = 'timestamp(3) with time zone'
const ZONE = '(Z|[-+](0[0-9]|1[0-4]):?[0-5][0-9])?'

export const datetime: FieldKind = {
  types: { datetime: {} },
  jsonSchemaFormats: { 'date-time': 'datetime', datetime: 'datetime' },
  keyStrategies: ['Fixed'],

  words: () => `${nounOf('datetime')} (ISO 8601, epoch milliseconds or { "$date": … })`,
  accepts: (value) => parseDatetime(value) !== null,
  sentAs: () => ['string', 'integer', 'object'],
  isParsed: true,
  isSpelt: () => false,
  range: () => null,
  keywords: () => ({}),
  stored: () => parseDatetime,
  equalText: null,
  now: { text: (instant) => instant, sql: sql`now()` },

  column: () => COLUMN,
  served: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // PostgreSQL writes instants in JSON with their microseconds and zone.
  fromRow: (value) => {
    const at = new Date(typeof value === 'string' ? value : Number.NaN)
    return Number.isNaN(at.getTime()) ? value : at.toISOString()
  },
  dependsOnSettings: true,
  fitsText,
  fromText: (text) => castTo(toMillis(text), COLUMN),
  fitsJson: (value) => {
    const json = plainJson(value)
    const text = textOf(json)
    const epoch = sql`${text}::numeric between -62135596800000 and 253402300799999`
    const number = whenOfType(json, 'number', epoch)
    return whenOfType(json, 'string', fitsText(sql`trim(${text})`), number)
  },
  fromJson: (value, type) => {
    const json = plainJson(value)
    const text = textOf(json)
    return sql`case when jsonb_typeof(${json}) = 'number' then to_timestamp(${text}::numeric / 1000) else ${datetime.fromText(text, type)} end`
  },

  comparedAs: 'timestamptz',
  literal: (value) => scalar('timestamptz', meantInstant(value)),
  isSummed: false,
  isFoundByValue: false,

  sheetCell: 'text',
  csvCell: 'value',
  tableText: null,
  readCell: 'trimmed text',
  proposals: [
    {
      type: 'datetime',
      fits: (text) => /^\d{4}-\d\d-\d\d/.test(text) && parseDatetime(text) !== null,
    },
  ],

  schema: { type: 'string', format: 'date-time' },
  typescript: 'string',
  typescriptObject: DATE_OBJECT,
  sample: () => '2026-01-31T08:30:00.000Z',
  sampleCondition: { operator: 'gte', value: '2000-01-01T00:00:00Z' },
}

/** Without the finer digits, which a cast would round: those of requests and files are cut, too. */
const toMillis = (text: SQL) => sql`regexp_replace(${text}, '([.][0-9]{3})[0-9]+', '\\1')`

function fitsText(text: SQL): SQL {
  return matching(text, `^${DAY}([T ]${TIME}${ZONE})?$`, isDayOfMonth(text))
}
