import { type SQL, sql } from 'drizzle-orm'
import type { Json } from '@/lib/values/json'
import { durationText, parseDuration, totalMicros } from '@/lib/values/parse-duration'
import { type FieldKind, matching, scalar, textOf, whenOfType } from './field-kind'
import { nounOf } from './kind'

export const duration: FieldKind = {
  types: { duration: { isLate: true } },
  // Texts of this format were texts before, and still are: stored ones need not be durations.
  jsonSchemaFormats: {},
  // Equal durations have several texts, and a record has one id.
  keyStrategies: [],

  words: () => `${nounOf('duration')} (ISO 8601, such as P1DT2H30M)`,
  accepts: (value) => canonical(value) !== null,
  sentAs: () => ['string'],
  isParsed: true,
  isSpelt: () => false,
  range: () => null,
  keywords: () => ({}),
  stored: () => canonical,
  equalText: (value) => {
    const found = parseDuration(String(value))
    return found ? String(totalMicros(found)) : String(value)
  },
  now: null,

  column: () => 'interval',
  served,
  fromRow: (value) => (typeof value === 'string' ? fromPostgres(value) : value),
  dependsOnSettings: true,
  fitsText,
  fromText,
  fitsJson: (json) => whenOfType(json, 'string', fitsText(sql`trim(${textOf(json)})`)),
  fromJson: (json) => fromText(textOf(json)),

  comparedAs: 'interval',
  literal: (value) => scalar('interval', canonical(value)),
  isSummed: false,
  isFoundByValue: false,

  sheetCell: 'text',
  csvCell: 'value',
  tableText: null,
  readCell: 'trimmed text',
  proposals: [{ type: 'duration', fits: (text) => canonical(text) !== null }],

  schema: { type: 'string', format: 'duration' },
  typescript: 'string',
  typescriptObject: 'JsonObject',
  sample: () => 'P1DT2H30M',
  sampleCondition: { operator: 'gte', value: 'PT0S' },
}

function canonical(value: Json): string | null {
  const found = typeof value === 'string' ? parseDuration(value.trim()) : null
  return found && durationText(found)
}

/** As `durationText`, whatever the setting `intervalstyle` is. */
function served(column: SQL): SQL {
  const number = (field: string) => sql`extract(${sql.raw(field)} from ${column})::numeric`
  const part = (field: string, unit: string) =>
    sql`trim_scale(nullif(${number(field)}, 0))::text || '${sql.raw(unit)}'`
  const date = sql`concat(${part('year', 'Y')}, ${part('month', 'M')}, ${part('day', 'D')})`
  const time = sql`concat(${part('hour', 'H')}, ${part('minute', 'M')}, ${part('second', 'S')})`
  const text = sql`coalesce(nullif(concat('P', ${date}, 'T' || nullif(${time}, '')), 'P'), 'PT0S')`
  return sql`case when ${column} is not null then ${text} end`
}

const DATE = ['{1,5}Y', '{1,6}M', '{1,7}W', '{1,7}D']
const TIME = ['{1,8}H', '{1,10}M', '{1,12}([.][0-9]{1,9})?S']
const optional = (units: string[]) => units.map((unit) => `([-+]?[0-9]${unit})?`).join('')
const PATTERN = `^[-+]?P(?!$)${optional(DATE)}(T(?!$)${optional(TIME)})?$`

/** As in `parseDuration`. */
function fitsText(text: SQL): SQL {
  const size = (field: string) => sql`abs(extract(${sql.raw(field)} from ${fromText(text)}))`
  const months = sql`${size('year')} * 12 + ${size('month')} < 120000`
  const isInRange = sql`(${months} and ${size('day')} < 10000000 and ${size('hour')} < 100000000)`
  return matching(text, PATTERN, isInRange)
}

/** PostgreSQL reads no sign before `P`, and rounds digits after microseconds. */
function fromText(text: SQL): SQL {
  const cut = sql`regexp_replace(ltrim(trim(${text}), '+-'), '([.][0-9]{6})[0-9]+', '\\1')::interval`
  return sql`case when left(trim(${text}), 1) = '-' then -(${cut}) else ${cut} end`
}

const POSTGRES =
  /^(?:([+-]?\d+) years? ?)?(?:([+-]?\d+) mons? ?)?(?:([+-]?\d+) days? ?)?(?:([+-]?)(\d+):(\d\d):(\d\d(?:\.\d+)?))?$/

/** A duration as PostgreSQL writes it by default, `1 mon 2 days -03:00:00`, which depends on `intervalstyle`. */
function fromPostgres(text: string): string {
  const [all, years = 0, months = 0, days = 0, sign = '', hours = 0, minutes = 0, seconds = 0] =
    POSTGRES.exec(text) ?? []
  const iso = `P${years}Y${months}M${days}DT${sign}${hours}H${sign}${minutes}M${sign}${seconds}S`
  return canonical(all ? iso : text) ?? text
}
