import { isObject, type Json, literalOf } from './json'

/** Degrees: from the equator to the north, from Greenwich to the east. */
export type Location = { lat: number; lon: number }

export const MAX_LATITUDE = 90
export const MAX_LONGITUDE = 180

/** The location of an object with exactly these two numbers, as the nearest doubles; null of anything else. */
export function parseLocation(value: Json): Location | null {
  if (!isObject(value) || Object.keys(value).length !== 2) return null
  return locationAt(numberIn(value.lat), numberIn(value.lon))
}

/** A text such as `48.8584, 2.2945`, as tables have it. */
export function readLocation(text: string): Location | null {
  const [, lat, lon] = PAIR.exec(text) ?? []
  return lat === undefined ? null : locationAt(Number(lat), Number(lon))
}

const PAIR = /^\s*([-+]?\d{1,3}(?:\.\d{1,400})?)\s*,\s*([-+]?\d{1,3}(?:\.\d{1,400})?)\s*$/

// A number that a double would round has come as a marked text.
const numberIn = (value: Json | undefined): number =>
  typeof value === 'number' ? value : Number(literalOf(value ?? null) ?? Number.NaN)

function locationAt(lat: number, lon: number): Location | null {
  const fits = Math.abs(lat) <= MAX_LATITUDE && Math.abs(lon) <= MAX_LONGITUDE
  return fits ? { lat: plainDegrees(lat), lon: plainDegrees(lon) } : null
}

/** Of a ten-millionth of a millimetre; squares of less are none in PostgreSQL, but errors. */
export const LEAST_DEGREES = 1e-12

/** With one form of zero, which is also what is hardly different from it. */
export const plainDegrees = (degrees: number): number =>
  Math.abs(degrees) < LEAST_DEGREES ? 0 : degrees
