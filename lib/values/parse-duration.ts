/** As PostgreSQL holds it: months, days and times are not made of each other, since months and days differ in length. */
export type Duration = { months: number; days: number; micros: bigint }

const ISO =
  /^([+-])?P(?!$)(?:([+-]?\d{1,5})Y)?(?:([+-]?\d{1,6})M)?(?:([+-]?\d{1,7})W)?(?:([+-]?\d{1,7})D)?(?:T(?!$)(?:([+-]?\d{1,8})H)?(?:([+-]?\d{1,10})M)?(?:([+-]?)(\d{1,12})(?:[.](\d{1,9}))?S)?)?$/

const MONTHS = 120_000
const DAYS = 10_000_000
const SECOND = 1_000_000n
const MINUTE = 60n * SECOND
const HOUR = 60n * MINUTE
const MICROS = 100_000_000n * HOUR

/**
 * Reads ISO 8601 such as `P1DT2H30M`, with signs before `P` or before any number; null for another text, and from 10,000 years,
 * 10 million days or 100 million hours on. Digits after microseconds are cut.
 */
export function parseDuration(text: string): Duration | null {
  const parts = ISO.exec(text)
  if (!parts) return null
  const [, sign, years, months, weeks, days, hours, minutes, of = '', seconds, fraction = ''] =
    parts
  const by = sign === '-' ? -1 : 1
  const second = BigInt(seconds ?? 0) * SECOND + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  const time =
    BigInt(hours ?? 0) * HOUR + BigInt(minutes ?? 0) * MINUTE + (of === '-' ? -second : second)
  const duration = {
    months: by * (Number(years ?? 0) * 12 + Number(months ?? 0)),
    days: by * (Number(weeks ?? 0) * 7 + Number(days ?? 0)),
    micros: by < 0 ? -time : time,
  }
  return isInRange(duration) ? duration : null
}

const isInRange = ({ months, days, micros }: Duration): boolean =>
  Math.abs(months) < MONTHS && Math.abs(days) < DAYS && micros < MICROS && -micros < MICROS

/** The number of each unit, years to seconds; seconds as a text with their fraction. */
function unitsOf({ months, days, micros }: Duration) {
  const seconds = micros % MINUTE
  const size = seconds < 0n ? -seconds : seconds
  const fraction = String(size % SECOND)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return {
    years: Math.trunc(months / 12),
    months: months % 12,
    days,
    hours: Number(micros / HOUR),
    minutes: Number((micros % HOUR) / MINUTE),
    seconds: `${seconds < 0n ? '-' : ''}${size / SECOND}${fraction && `.${fraction}`}`,
  }
}

/**
 * The one form in which a duration is returned, that of PostgreSQL's `intervalstyle = iso_8601`: the largest units that have months,
 * days and times by themselves, each with its sign; `PT0S` for none.
 */
export function durationText(duration: Duration): string {
  const { years, months, days, hours, minutes, seconds } = unitsOf(duration)
  const part = (number: number | string, unit: string) =>
    Number(number) === 0 ? '' : `${number}${unit}`
  const date = part(years, 'Y') + part(months, 'M') + part(days, 'D')
  const time = part(hours, 'H') + part(minutes, 'M') + part(seconds, 'S')
  return date || time ? `P${date}${time && `T${time}`}` : 'PT0S'
}

/** Equal for durations that PostgreSQL considers equal: a month is 30 days, a day 24 hours. */
export const totalMicros = ({ months, days, micros }: Duration): bigint =>
  BigInt(months * 30 + days) * 24n * HOUR + micros
