import { type SQL, sql } from 'drizzle-orm'

/** `fits` of the text when it has the pattern and is short enough to be matched; false otherwise. */
export const matching = (text: SQL, pattern: string, fits: SQL = sql`true`): SQL =>
  sql`case when length(${text}) <= 1000 and ${text} ~ '${sql.raw(pattern)}' then ${fits} else false end`

/** Whether JSON is of a type, by `jsonb_typeof`. */
export const isOfType = (json: SQL, name: string): SQL =>
  sql`jsonb_typeof(${json}) = '${sql.raw(name)}'`

/** `fits` of JSON of a type; `otherwise` of any other. */
export const whenOfType = (json: SQL, name: string, fits: SQL, otherwise = sql`false`): SQL =>
  sql`case when ${isOfType(json, name)} then ${fits} else ${otherwise} end`

/** The text of JSON, without quotes. */
export const textOf = (json: SQL): SQL => sql`(${json} #>> '{}')`

export const asStored = (column: SQL): SQL => column

/** Whether a numeric is whole and in the range of an integer type. */
export const wholeFits = (number: SQL, column: string): SQL =>
  column === 'smallint'
    ? sql`(${number} = trunc(${number}) and ${number} between -32768 and 32767)`
    : sql`(${number} = trunc(${number}) and ${number} between -9223372036854775808 and 9223372036854775807)`

/** In POSIX's syntax. */
export const NUMBER = '^[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]{1,2})?$'
export const DAY = '(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
export const TIME = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'

/** Whether the day of `YYYY-MM-DD…` exists in its month. */
export function isDayOfMonth(text: SQL): SQL {
  const first = sql`(substr(${text}, 1, 7) || '-01')::date`
  return sql`substr(${text}, 9, 2)::int <= extract(day from ${first} + interval '1 month - 1 day')`
}

/** MongoDB's export writes an instant as `{ "$date": "…" }`. */
export const plainJson = (json: SQL): SQL =>
  sql`(case when jsonb_typeof(${json}) = 'object' then ${json} -> '$date' else ${json} end)`

/** Without blanks around it, by the cast of PostgreSQL. */
export const castTo = (text: SQL, column: string): SQL => sql`trim(${text})::${sql.raw(column)}`
