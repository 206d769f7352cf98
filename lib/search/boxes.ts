import { type Location, MAX_LATITUDE, MAX_LONGITUDE } from '@/lib/values/location'

/** In degrees; `west` is at most `east`. */
export type Box = { south: number; west: number; north: number; east: number }

/** The mean radius of the earth in km (IUGG), as distances take it. */
export const EARTH_RADIUS_KM = 6371.0088

/** The places between two parallels and two meridians, which are within. From a meridian in the west to one further west, it crosses the 180th. */
export function boxesWithin(box: Box): Box[] {
  const { west, east } = box
  if (west > east) return crossing(box)
  // One meridian has two numbers.
  const isAtWest = west === -MAX_LONGITUDE && east < MAX_LONGITUDE
  const isAtEast = east === MAX_LONGITUDE && west > -MAX_LONGITUDE
  return [
    box,
    ...(isAtWest ? [{ ...box, west: MAX_LONGITUDE, east: MAX_LONGITUDE }] : []),
    ...(isAtEast ? [{ ...box, west: -MAX_LONGITUDE, east: -MAX_LONGITUDE }] : []),
  ]
}

/** Boxes in which all places are that are at most `km` away, and few others; null where that is everywhere. */
export function boxesAround({ lat, lon }: Location, km: number): Box[] | null {
  // Rounded up, since what a box leaves out is never found.
  const angle = (km / EARTH_RADIUS_KM) * (1 + 1e-9) + 1e-9
  const south = lat - degreesOf(angle)
  const north = lat + degreesOf(angle)
  const band = { south: Math.max(south, -MAX_LATITUDE), north: Math.min(north, MAX_LATITUDE) }
  const isAll = south <= -MAX_LATITUDE && north >= MAX_LATITUDE
  if (isAll) return null
  // With a pole in it, it has all meridians.
  const whole = { ...band, west: -MAX_LONGITUDE, east: MAX_LONGITUDE }
  if (south <= -MAX_LATITUDE || north >= MAX_LATITUDE) return [whole]
  const reach = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radiansOf(lat))))
  const wide = degreesOf(reach) * (1 + 1e-9) + 1e-9
  const [west, east] = [lon - wide, lon + wide]
  if (east - west >= 2 * MAX_LONGITUDE) return [whole]
  if (west <= -MAX_LONGITUDE) return crossing({ ...band, west: west + 2 * MAX_LONGITUDE, east })
  if (east >= MAX_LONGITUDE) return crossing({ ...band, west, east: east - 2 * MAX_LONGITUDE })
  return [{ ...band, west, east }]
}

/** On both sides of the 180th meridian. */
const crossing = (box: Box): Box[] => [
  { ...box, east: MAX_LONGITUDE },
  { ...box, west: -MAX_LONGITUDE },
]

const degreesOf = (radians: number) => (radians * 180) / Math.PI
const radiansOf = (degrees: number) => (degrees * Math.PI) / 180
