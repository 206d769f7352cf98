import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { jsonFits, jsonToColumn, textFits, textToColumn, wholeFits } from './cast-sql'
import { sqlTypeOf } from './column-type'

/** How a column is converted: the new value, and when a value can be converted (null: always). */
export type Conversion = { using: SQL; fits: SQL | null }

/**
 * The conversion of `column` (of PostgreSQL type `from`) for a property. `fits` is never null for a
 * value that is present, and meaningless for one that is absent.
 */
export function convertColumn(column: SQL, from: string, property: Property): Conversion {
  const to = sqlTypeOf(property)
  if (from === 'jsonb') return { using: jsonToColumn(column, to), fits: jsonFits(column, property) }
  if (to === 'jsonb') {
    const using = from === INSTANT ? sql`to_jsonb(${isoText(column)})` : sql`to_jsonb(${column})`
    return { using, fits: property.kind === 'json' ? null : sql`false` }
  }
  return (
    convertNumber(column, from, to) ??
    convertInstant(column, from, to) ??
    convertByText(column, from, to)
  )
}

/** Whether every value fits, without reading the values. */
export const isWidening = (from: string, property: Property): boolean =>
  convertColumn(sql`x`, from, property).fits === null

const INSTANT = 'timestamp(3) with time zone'
const NUMBERS = ['smallint', 'bigint', 'numeric', 'double precision']

function convertNumber(column: SQL, from: string, to: string): Conversion | null {
  if (!NUMBERS.includes(from) || !NUMBERS.includes(to)) return null
  // Through text, since a cast from double precision to numeric keeps 15 digits only.
  const exact =
    from === 'double precision' ? sql`${column}::text::numeric` : sql`${column}::numeric`
  const using = sql`${exact}::${sql.raw(to)}`
  if (to === 'numeric') {
    const survives = sql`${column} not in ('NaN', 'Infinity', '-Infinity')`
    return { using: exact, fits: from === 'double precision' ? survives : null }
  }
  if (from === 'smallint') return { using: sql`${column}::${sql.raw(to)}`, fits: null }
  if (to === 'double precision') return { using, fits: numberSurvives(column, exact) }
  return { using, fits: wholeFits(exact, to) }
}

const numberSurvives = (column: SQL, exact: SQL) =>
  sql`case when abs(${exact}) <= 1e308 then ${column}::double precision::text::numeric = ${exact} else false end`

function convertInstant(column: SQL, from: string, to: string): Conversion | null {
  if (from === INSTANT && to === 'date') {
    const utc = sql`(${column} at time zone 'UTC')`
    return { using: sql`${utc}::date`, fits: sql`${utc} = date_trunc('day', ${utc})` }
  }
  if (from === 'date' && to === INSTANT)
    return { using: sql`(${column}::timestamp at time zone 'UTC')`, fits: null }
  return null
}

function convertByText(column: SQL, from: string, to: string): Conversion {
  const text = from === INSTANT ? isoText(column) : sql`${column}::text`
  return { using: textToColumn(text, to), fits: to === 'text' ? null : textFits(text, to) }
}

/** In the form of records: `2024-12-31T23:59:59.000Z`. */
const isoText = (column: SQL) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
