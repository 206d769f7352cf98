import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { sqlTypeOf } from '@/lib/tables/column-type'

/** The column value of a JSON value that `jsonFits`; JSON's null becomes SQL's null. */
export function jsonToColumn(json: SQL, to: string): SQL {
  if (to === 'jsonb') return sql`nullif(${json}, 'null'::jsonb)`
  const text = sql`(${plainJson(json)} #>> '{}')`
  if (to !== INSTANT) return textToColumn(text, to)
  return sql`case when jsonb_typeof(${plainJson(json)}) = 'number' then to_timestamp(${text}::numeric / 1000) else ${textToColumn(text, to)} end`
}

/**
 * Whether a JSON value other than null can be converted to the property's type. Texts are read as
 * values, as those of a text column are.
 */
export function jsonFits(value: SQL, { kind, type }: Pick<Property, 'kind' | 'type'>): SQL {
  const json = kind === 'date' || kind === 'datetime' ? plainJson(value) : value
  const text = sql`(${json} #>> '{}')`
  const is = (name: string) => sql`jsonb_typeof(${json}) = '${sql.raw(name)}'`
  const to = sqlTypeOf({ kind, type })
  const when = (name: string, fits: SQL, otherwise = sql`false`) =>
    sql`case when ${is(name)} then ${fits} else ${otherwise} end`
  switch (kind) {
    case 'json':
      return sql`true`
    case 'text':
      return is('string')
    case 'object':
    case 'array':
      return is(kind)
    case 'boolean':
      return type === 'bit'
        ? sql`${text} in ('true', 'false', '0', '1')`
        : when('string', textFits(text, to), is('boolean'))
    case 'integer':
      return when(
        'string',
        textFits(text, to),
        when('number', wholeFits(sql`${text}::numeric`, to)),
      )
    case 'float':
      return when(
        'string',
        textFits(text, to),
        when('number', sql`abs(${text}::numeric) <= 1.7e308`),
      )
    case 'decimal':
      return when('string', textFits(text, to), is('number'))
    case 'datetime': {
      const epoch = when(
        'number',
        sql`${text}::numeric between -62135596800000 and 253402300799999`,
      )
      return when('string', textFits(text, to), epoch)
    }
    default:
      return when('string', textFits(text, to))
  }
}

const INSTANT = 'timestamp(3) with time zone'

// MongoDB's export writes an instant as `{ "$date": "…" }`.
const plainJson = (json: SQL) =>
  sql`(case when jsonb_typeof(${json}) = 'object' then ${json} -> '$date' else ${json} end)`

export const textToColumn = (text: SQL, to: string): SQL =>
  to === 'text' ? text : sql`trim(${to === INSTANT ? toMillis(text) : text})::${sql.raw(to)}`

/** Without the finer digits, which a cast would round: those of requests and files are cut, too. */
const toMillis = (text: SQL) => sql`regexp_replace(${text}, '([.][0-9]{3})[0-9]+', '\\1')`

/** Whether a text can be read as `to` without a failing cast. */
export function textFits(text: SQL, to: string): SQL {
  const trimmed = sql`trim(${text})`
  const matching = (pattern: string, fits: SQL) =>
    sql`case when length(${trimmed}) <= 1000 and ${trimmed} ~ '${sql.raw(pattern)}' then ${fits} else false end`
  switch (to) {
    case 'smallint':
    case 'bigint':
      return matching('^[-+]?[0-9]{1,19}$', wholeFits(sql`${trimmed}::numeric`, to))
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

/** Whether a numeric is whole and in the range of an integer type. */
export const wholeFits = (number: SQL, to: string) =>
  to === 'smallint'
    ? sql`(${number} = trunc(${number}) and ${number} between -32768 and 32767)`
    : sql`(${number} = trunc(${number}) and ${number} between -9223372036854775808 and 9223372036854775807)`

const NUMBER = '^[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]{1,2})?$'
const DAY = '(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'
const ZONE = '(Z|[-+](0[0-9]|1[0-4]):?[0-5][0-9])?'

/** Whether the day of `YYYY-MM-DD…` exists in its month. */
const isDayOfMonth = (text: SQL) => {
  const first = sql`(substr(${text}, 1, 7) || '-01')::date`
  return sql`substr(${text}, 9, 2)::int <= extract(day from ${first} + interval '1 month - 1 day')`
}
