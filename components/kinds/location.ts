import type { ConsoleKind } from './console-kind'
import { json } from './json'

export const location: ConsoleKind = {
  ...json,
  format: pairOf,
  form: 'location',
  width: 200,
  types: ['location'],
}

/** `48.8584, 2.2945`, of the form in which servers return locations. */
function pairOf(text: string): string {
  const [, lat, lon] = /^\{"lat":([-\d.e+]+),"lon":([-\d.e+]+)\}$/i.exec(text) ?? []
  return lat === undefined ? text : `${lat}, ${lon}`
}
