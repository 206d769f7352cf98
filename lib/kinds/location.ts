import { type SQL, sql } from 'drizzle-orm'
import type { Json, JsonObject } from '@/lib/values/json'
import {
  LEAST_DEGREES,
  type Location,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  parseLocation,
  readLocation,
} from '@/lib/values/location'
import { type FieldKind, isOfType } from './field-kind'
import { containerLiteral, json, parsedJson } from './json'
import { nounOf } from './kind'

const degrees = (most: number): JsonObject => ({ type: 'number', minimum: -most, maximum: most })

/** JSON, since values must be equal, and points of PostgreSQL have no equality that unites or groups them. */
export const location: FieldKind = {
  ...json,
  types: { location: { isLate: true } },
  words: () =>
    `${nounOf('location')} such as { "lat": 48.8584, "lon": 2.2945 }, from -90 to 90 and from -180 to 180 degrees`,
  accepts,
  sentAs: () => ['object'],
  isParsed: true,
  stored: () => parseLocation as (value: Json) => Json,
  fitsText: () => sql`false`,
  fitsJson,
  literal: (value) =>
    containerLiteral(typeof value === 'string' ? spelt(value) : parseLocation(value), accepts),
  isSummed: false,
  csvCell: 'value',
  readCell: 'location',
  tableText,
  proposals: [{ type: 'location', fits }],
  schema: {
    type: 'object',
    properties: { lat: degrees(MAX_LATITUDE), lon: degrees(MAX_LONGITUDE) },
    required: ['lat', 'lon'],
    additionalProperties: false,
  },
  typescript: '{ lat: number; lon: number }',
  typescriptObject: '{ lat: number; lon: number }',
  sample: () => ({ lat: 48.8584, lon: 2.2945 }),
  sampleCondition: { operator: 'near', value: [48.8584, 2.2945, 50] },
}

function accepts(value: Json): boolean {
  return parseLocation(value) !== null
}

/** The pair that tables have, or JSON. */
function spelt(text: string): Location | null {
  return readLocation(text) ?? parseLocation((parsedJson(text) ?? null) as Json)
}

/** A pair of whole numbers may be anything. */
function fits(text: string): boolean {
  return /\.\d+\s*,.*\.\d/.test(text) && spelt(text) !== null
}

/** As in `parseLocation`. */
function fitsJson(value: SQL): SQL {
  const inRange = (name: string, most: number) => {
    const number = sql`(${value} -> '${sql.raw(name)}')`
    const size = sql`abs(${number}::numeric)`
    const fits = sql`(${size} between ${sql.raw(String(LEAST_DEGREES))} and ${sql.raw(String(most))} or ${size} = 0)`
    return sql`case when ${isOfType(number, 'number')} then ${fits} else false end`
  }
  return sql`case when ${isOfType(value, 'object')} then ${value} - 'lat' - 'lon' = '{}'::jsonb
    and ${inRange('lat', MAX_LATITUDE)} and ${inRange('lon', MAX_LONGITUDE)} else false end`
}

const degreesSql = (column: SQL, name: 'lat' | 'lon'): SQL =>
  sql`(${column} ->> '${sql.raw(name)}')::float8`

/** The latitude and longitude of a column, in degrees. */
export const coordinatesSql = (column: SQL) => ({
  lat: degreesSql(column, 'lat'),
  lon: degreesSql(column, 'lon'),
})

/** As an index has it and conditions ask for it: only then the index serves them. */
export function pointSql(column: SQL): SQL {
  const { lat, lon } = coordinatesSql(column)
  return sql`point(${lon}, ${lat})`
}

function tableText(column: SQL): SQL {
  return sql`((${column} ->> 'lat') || ', ' || (${column} ->> 'lon'))`
}
