const PATTERN = /^\$(now|today)(?:\(([+-]?\d{1,6})(mo|[smhdwy])\))?$/

/** Milliseconds of the units that are always equally long. */
const UNIT_MS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** How a time relative to now is written, for error messages. */
export const RELATIVE_FORMS =
  '$now, $today, or one of them with a distance such as (-7d), in s, m, h, d, w, mo or y'

/**
 * `$now`, `$today` (midnight UTC), each with a distance such as `$now(-7d)`, as ISO 8601 in UTC with milliseconds.
 * Null for any other text, and beyond the years 1 to 9999. Months and years end on the last day of a shorter month.
 */
export function relativeTime(text: string, now = Date.now()): string | null {
  const parts = PATTERN.exec(text)
  if (!parts) return null
  const [, base, distance = '0', unit = 's'] = parts
  const start = new Date(now)
  if (base === 'today') start.setUTCHours(0, 0, 0, 0)
  const time = moved(start, Number(distance), unit)
  const isInRange = time >= EARLIEST_MS && time <= LATEST_MS
  return isInRange ? new Date(time).toISOString() : null
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function moved(start: Date, distance: number, unit: string): number {
  const ms = UNIT_MS[unit]
  if (ms !== undefined) return start.getTime() + distance * ms
  const months = unit === 'y' ? distance * 12 : distance
  const day = start.getUTCDate()
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const last = new Date(end)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  end.setUTCDate(Math.min(day, last.getUTCDate()))
  return end.getTime()
}
