import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { wholeFits } from '@/lib/kinds/field-kind'
import { isJsonKind } from '@/lib/kinds/kind'
import { KINDS, kindOfColumn } from '@/lib/kinds/kinds'
import { jsonFits, jsonToColumn } from './cast-sql'
import { sqlTypeOf } from './column-spec'

/** How a column is converted: the new value, and when a value can be converted (null: always). */
export type Conversion = { using: SQL; fits: SQL | null }

/**
 * The conversion of `column` (of PostgreSQL type `from`) for a property. `fits` is never null for a
 * value that is present, and meaningless for one that is absent.
 */
export function convertColumn(column: SQL, from: string, property: Property): Conversion {
  const to = sqlTypeOf(property)
  if (from === 'jsonb')
    return { using: jsonToColumn(column, property), fits: jsonFits(column, property) }
  if (isJsonKind(property.kind)) {
    const fits = KINDS[property.kind].fitsText(column, property.type)
    return { using: sql`to_jsonb(${served(column, from)})`, fits }
  }
  return (
    convertNumber(column, from, to) ??
    convertInstant(column, from, to) ??
    convertByText(column, from, property)
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

function convertByText(column: SQL, from: string, { kind, type }: Property): Conversion {
  const text = sql`(${served(column, from)})::text`
  const { fitsText, fromText } = KINDS[kind]
  return { using: fromText(text, type), fits: fitsText(sql`trim(${text})`, type) }
}

/** In the form of records. */
const served = (column: SQL, type: string): SQL => kindOfColumn(type)?.served(column) ?? column
