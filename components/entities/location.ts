import { isNumberKind } from '@/lib/kinds/kind'
import { type ExactJson, isNested, plainText } from '@/lib/values/exact-json'
import type { ColumnDescription, EntityRecord } from './types'

/** A place on earth in degrees, with the digits it was stored with. */
export type Location = { latitude: string; longitude: string }

const LATITUDE = /^(lat|latitude)$/i
const LONGITUDE = /^(lon|lng|long|longitude)$/i

/** The place that an object names: `{ lat, lon }` in any of their spellings, or a point of GeoJSON. */
export function locationOf(value: ExactJson | undefined): Location | null {
  if (!isNested(value) || Array.isArray(value)) return null
  const { type, coordinates } = value
  if (type === 'Point' && Array.isArray(coordinates))
    return toLocation(coordinates[1], coordinates[0])
  const names = Object.keys(value)
  const latitude = names.find((name) => LATITUDE.test(name))
  const longitude = names.find((name) => LONGITUDE.test(name))
  return latitude && longitude ? toLocation(value[latitude], value[longitude]) : null
}

/** Two number fields that are a place together. `label`: what their names have in common. */
export type LocationFields = { latitude: string; longitude: string }

const PART = /^(.*?)_?(lat|latitude)$/i

/** The pairs of fields such as `latitude` and `longitude`, `officeLat` and `officeLng`. */
export function locationFields(
  columns: readonly Pick<ColumnDescription, 'name' | 'kind'>[],
): LocationFields[] {
  const numbers = columns.filter(({ kind }) => isNumberKind(kind)).map(({ name }) => name)
  return numbers.flatMap((latitude) => {
    const before = PART.exec(latitude)?.[1]
    const longitude = numbers.find((name) => isOther(name, before))
    return before !== undefined && longitude ? [{ latitude, longitude }] : []
  })
}

const isOther = (name: string, before = '') =>
  name.startsWith(before) && LONGITUDE.test(name.slice(before.length).replace(/^_/, ''))

/** The place that a record's pair of fields names. */
export const locationAt = (record: EntityRecord, fields: LocationFields): Location | null =>
  toLocation(record[fields.latitude], record[fields.longitude])

/** All places that a record names, by the field that has them, or has their latitude. */
export function locationsOf(
  record: EntityRecord,
  columns: readonly Pick<ColumnDescription, 'name' | 'kind'>[],
): Map<string, Location> {
  const pairs = locationFields(columns).map(
    (fields) => [fields.latitude, locationAt(record, fields)] as const,
  )
  const objects = columns.map(({ name }) => [name, locationOf(record[name])] as const)
  return new Map([...objects, ...pairs].flatMap(([name, at]) => (at ? [[name, at]] : [])))
}

function toLocation(latitude?: ExactJson, longitude?: ExactJson): Location | null {
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return null
  return { latitude: plainText(latitude), longitude: plainText(longitude) }
}

function isDegrees(value: ExactJson | undefined, most: number): boolean {
  if (value === null || value === undefined || value === '' || isNested(value)) return false
  return typeof value !== 'boolean' && Math.abs(Number(String(value))) <= most
}

/** About a metre. */
const PLACES = 5

/** `48.1374° N, 11.5755° E` */
export const formatLocation = ({ latitude, longitude }: Location): string =>
  `${degrees(latitude)}° ${Number(latitude) < 0 ? 'S' : 'N'}, ${degrees(longitude)}° ${
    Number(longitude) < 0 ? 'W' : 'E'
  }`

const degrees = (text: string) => String(Number(Math.abs(Number(text)).toFixed(PLACES)))

/** The address that apps for maps open (RFC 5870). */
export const geoUri = ({ latitude, longitude }: Location): string => `geo:${latitude},${longitude}`
