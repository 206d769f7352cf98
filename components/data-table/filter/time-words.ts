import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import type { Kind } from '@/lib/kinds/kind'
import { parseDatetime } from '@/lib/values/parse-datetime'
import { relativeTime } from '@/lib/values/relative-time'

const UNITS = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week', mo: 'month', y: 'year' }
type Unit = keyof typeof UNITS

/** Units that a distance can be typed in, the usual ones first. */
export const DISTANCE_UNITS = (['d', 'w', 'mo', 'y', 'h', 'm'] as const).map((value) => ({
  value,
  label: `${UNITS[value]}s`,
}))

const RELATIVE = /^\$(now|today)(?:\(([+-]?)(\d{1,6})(mo|[smhdwy])\))?$/

/** `$now(-7d)` in its parts; null for any other text. */
export function readRelative(text: string) {
  const [, base, sign = '', distance = '0', unit = 'd'] = RELATIVE.exec(text.trim()) ?? []
  if (base !== 'now' && base !== 'today') return null
  return { base, distance: Number(`${sign}${distance}`), unit: unit as Unit } as const
}

/** What a distance is counted from, unless said otherwise: days of a date from today. */
export const baseOf = (kind: Kind, unit: string): 'today' | 'now' =>
  isDay(kind) && !/^[smh]$/.test(unit) ? 'today' : 'now'

/** A relative time in words, `7 days ago`, `tomorrow`, `2 weeks after today`; null for any other text. */
export function relativeWords(text: string, kind: Kind): string | null {
  const parts = readRelative(text)
  if (!parts) return null
  const { base, distance, unit } = parts
  if (distance === 0) return base
  if (base === 'today' && unit === 'd' && Math.abs(distance) === 1)
    return distance < 0 ? 'yesterday' : 'tomorrow'
  const span = spanWords(Math.abs(distance), unit)
  if (base === baseOf(kind, unit)) return distance < 0 ? `${span} ago` : `in ${span}`
  return `${span} ${distance < 0 ? 'before' : 'after'} ${base}`
}

/** `7 days`, `1 month`. */
export const spanWords = (count: number, unit: Unit): string =>
  `${count} ${UNITS[unit]}${count === 1 ? '' : 's'}`

const NAMED: Record<string, string> = {
  now: '$now',
  today: '$today',
  yesterday: '$today(-1d)',
  tomorrow: '$today(1d)',
}

const COUNT = '(\\d{1,6}|an?)\\s*'
const UNIT = '(mo|[smhdwy]|(?:second|minute|hour|day|week|month|year)s?)'
const AGO = new RegExp(`^${COUNT}${UNIT}\\s+ago$`)
const IN = new RegExp(`^in\\s+${COUNT}${UNIT}$`)
const AHEAD = new RegExp(`^${COUNT}${UNIT}\\s+(?:ahead|from now)$`)
const AROUND = new RegExp(`^${COUNT}${UNIT}\\s+(before|after)\\s+(now|today)$`)
const SHORT = /^([+-]\d{1,6})\s*(mo|[smhdwy])$/

/**
 * The relative time that words mean: `7 days ago`, `in 2 weeks`, `-3h`, `yesterday`, `$now(-7d)`; null where they mean
 * none.
 */
export function parseRelative(text: string, kind: Kind): string | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const named = NAMED[words] ?? (words.startsWith('$') ? words : null)
  const found = named ?? parseDistance(words, kind)
  return found && relativeTime(found) ? found : null
}

function parseDistance(words: string, kind: Kind): string | null {
  const short = SHORT.exec(words)
  if (short) return written(Number(short[1]), short[2] ?? '', kind)
  const around = AROUND.exec(words)
  if (around) {
    const [, count = '', unit = '', side, base] = around
    return written(countOf(count) * (side === 'before' ? -1 : 1), unit, kind, base)
  }
  const ago = AGO.exec(words)
  if (ago) return written(-countOf(ago[1] ?? ''), ago[2] ?? '', kind)
  const ahead = IN.exec(words) ?? AHEAD.exec(words)
  return ahead && written(countOf(ahead[1] ?? ''), ahead[2] ?? '', kind)
}

const countOf = (text: string) => (/^an?$/.test(text) ? 1 : Number(text))

function written(distance: number, unit: string, kind: Kind, base?: string): string {
  const short = shortUnit(unit)
  const from = base ?? baseOf(kind, short)
  return distance === 0 ? `$${from}` : `$${from}(${distance}${short})`
}

const shortUnit = (unit: string): string =>
  Object.entries(UNITS).find(
    ([short, word]) => short === unit || unit.replace(/s$/, '') === word,
  )?.[0] ?? unit

const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[ tT](\d\d?:\d\d(?::\d\d)?))?$/

/**
 * What a text in the control of a date or an instant means, as the API takes it: a relative time, a date, an instant.
 * An instant without a zone is one of the reader's. Null where it is none.
 */
export function parseTime(text: string, kind: Kind): string | null {
  const relative = parseRelative(text, kind)
  if (relative) return relative
  const typed = text.trim()
  const instant = parseDatetime(typed)
  if (isDay(kind)) return instant?.endsWith('T00:00:00.000Z') ? instant.slice(0, 10) : null
  const [, date, time = '00:00'] = LOCAL.exec(typed) ?? []
  if (!date) return instant
  if (!parseDatetime(`${date}T${time.padStart(5, '0')}`)) return null
  return new Date(`${date}T${time.padStart(time.length < 6 ? 5 : 8, '0')}`).toISOString()
}

/** Whether the values of a kind are whole days. */
export const isDay = (kind: Kind): boolean => CONSOLE_KINDS[kind].moment === 'day'
