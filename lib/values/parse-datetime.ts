import { isObject, type Json } from './json'

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * ISO 8601 in UTC with milliseconds, or null when `value` is no instant. Accepts ISO 8601 text
 * (without a zone: UTC; without a time: midnight), epoch milliseconds, and MongoDB's
 * `{ "$date": … }` of either. Years 1 to 9999; finer fractions of a second are truncated.
 */
export function parseDatetime(value: Json): string | null {
  const instant = parseInstant(value)
  return (
    instant && (instant.length > STORED_CHARS ? `${instant.slice(0, STORED_CHARS - 1)}Z` : instant)
  )
}

const STORED_CHARS = '0000-00-00T00:00:00.000Z'.length

/** The same with microseconds where it has any, as PostgreSQL compares; finer digits are cut. */
export function parseInstant(value: Json): string | null {
  if (typeof value === 'string') return fromIso(value)
  if (typeof value === 'number') return fromEpoch(value)
  if (!isObject(value) || Object.keys(value).length !== 1) return null
  const inner = value.$date
  if (isObject(inner)) {
    const long = inner.$numberLong
    return typeof long === 'string' && /^-?\d{1,15}$/.test(long) ? fromEpoch(Number(long)) : null
  }
  return typeof inner === 'string' || typeof inner === 'number' ? parseInstant(inner) : null
}

/** `YYYY-MM-DD`, or null. Accepts an instant only at midnight UTC, where no time of day is lost. */
export function parseDate(value: Json): string | null {
  const instant = typeof value === 'number' ? null : parseInstant(value)
  return instant?.endsWith('T00:00:00.000Z') ? instant.slice(0, 10) : null
}

/** `HH:mm[:ss[.ffffff]]` of one day, without a zone. */
export const isTime = (value: string): boolean => TIME.test(value)

/** `HH:mm:ss`, with a fraction only where it is not zero. */
export const normaliseTime = (value: Json): Json =>
  `${value}:00`.slice(0, 8) +
  String(value)
    .slice(8)
    .replace(/\.?0+$/, '')

/** Most texts of a large file have the stored form already, which is found without a copy. */
const STORED =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const fromIso = (text: string): string | null => (STORED.test(text) ? text : fromAnyIso(text))

function fromAnyIso(text: string): string | null {
  const parts = ISO.exec(text)
  if (!parts) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = parts
  if (hour > '23' || minute > '59' || second > '59') return null
  const millis = fraction.slice(0, 3).padEnd(3, '0')
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`
  const time = Date.parse(utc)
  // V8 turns 30 February into a day of March.
  if (Number.isNaN(time) || new Date(time).getUTCDate() !== Number(day)) return null
  const shift = zone ? offsetMs(zone) : 0
  if (shift === null) return null
  const instant = shift === 0 && time >= EARLIEST_MS ? utc : fromEpoch(time - shift)
  const micros = fraction.slice(3, 6).padEnd(3, '0')
  return instant && micros !== '000' ? instant.replace('Z', `${micros}Z`) : instant
}

/** Null for a zone beyond 18 hours, the most that ISO 8601 implementations allow. */
function offsetMs(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  if (hours > 18 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

function fromEpoch(ms: number): string | null {
  if (!Number.isInteger(ms) || ms < EARLIEST_MS || ms > LATEST_MS) return null
  return new Date(ms).toISOString()
}
