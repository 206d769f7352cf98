import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '../definition'
import { sqlTypeOf } from './column-type'

/** The column value of a JSON value that `jsonFits`; JSON's null becomes SQL's. */
export function jsonToColumn(json: SQL, to: string): SQL {
  if (to === 'jsonb') return sql`nullif(${json}, 'null'::jsonb)`
  return textToColumn(dateText(json), to)
}

/** Whether a JSON value other than null can be the property's. */
export function jsonFits(json: SQL, property: Pick<Property, 'kind' | 'type'>): SQL {
  const is = (type: string) => sql`jsonb_typeof(${json}) = '${sql.raw(type)}'`
  const number = sql`(${json} #>> '{}')::numeric`
  const ifNumber = (fits: SQL) => sql`case when ${is('number')} then ${fits} else false end`
  switch (property.kind) {
    case 'json':
      return sql`true`
    case 'object':
    case 'array':
      return is(property.kind)
    case 'text':
      return is('string')
    case 'boolean':
      return is('boolean')
    case 'integer':
      return ifNumber(wholeFits(number, sqlTypeOf(property)))
    case 'float':
      return ifNumber(sql`abs(${number}) <= 1.7e308`)
    case 'decimal':
      return is('number')
    default:
      return sql`case when jsonb_typeof(${dateJson(json)}) = 'string' then ${textFits(dateText(json), sqlTypeOf(property))} else false end`
  }
}

// MongoDB's export writes an instant as `{ "$date": "…" }`.
const dateJson = (json: SQL) =>
  sql`case when jsonb_typeof(${json}) = 'object' then ${json} -> '$date' else ${json} end`
const dateText = (json: SQL) => sql`(${dateJson(json)} #>> '{}')`

export const textToColumn = (text: SQL, to: string): SQL =>
  to === 'text' ? text : sql`trim(${text})::${sql.raw(to)}`

/** Whether a text can be read as `to`, with no cast that could fail. */
export function textFits(text: SQL, to: string): SQL {
  const trimmed = sql`trim(${text})`
  const matching = (pattern: string, fits: SQL) =>
    sql`case when ${trimmed} ~ '${sql.raw(pattern)}' then ${fits} else false end`
  switch (to) {
    case 'smallint':
    case 'bigint':
      return matching('^-?[0-9]{1,18}$', wholeFits(sql`${trimmed}::numeric`, to))
    case 'double precision':
      return matching(NUMBER, sql`abs(${trimmed}::numeric) <= 1.7e308`)
    case 'numeric':
      return matching(NUMBER, sql`true`)
    case 'boolean':
      return sql`${trimmed} in ('true', 'false')`
    case 'date':
      return matching(`^${DAY}$`, isDayOfMonth(trimmed))
    case 'time without time zone':
      return matching(`^${TIME}$`, sql`true`)
    default:
      return matching(`^${DAY}([T ]${TIME}${ZONE})?$`, isDayOfMonth(trimmed))
  }
}

/** Whether a numeric is whole and within an integer type. */
export const wholeFits = (number: SQL, to: string) =>
  to === 'smallint'
    ? sql`(${number} = trunc(${number}) and ${number} between -32768 and 32767)`
    : sql`(${number} = trunc(${number}) and ${number} between -9007199254740991 and 9007199254740991)`

const NUMBER = '^-?[0-9]{1,300}([.][0-9]{1,300})?([eE][-+]?[0-9]{1,3})?$'
const DAY = '(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'
const ZONE = '(Z|[-+](0[0-9]|1[0-4]):?[0-5][0-9])?'

/** Whether the day of `YYYY-MM-DD…` is one its month has. */
const isDayOfMonth = (text: SQL) => {
  const first = sql`(substr(${text}, 1, 7) || '-01')::date`
  return sql`substr(${text}, 9, 2)::int <= extract(day from ${first} + interval '1 month - 1 day')`
}
