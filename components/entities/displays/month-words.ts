import { LOCALE } from '@/components/ui/number'
import { daysOf, shiftDay, shiftMonth } from './month'

/** What a calendar calls its days and how keys move among them; apart from `month.ts`, which tables need too. */

/** The day of a stored date or time; of a time in the zone, the reader's without one. */
export function dayOf(value: unknown, timeZone?: string): string | null {
  if (typeof value !== 'string') return null
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return value
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return null
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(date)
}

/** The day that a key leads to from another; null when it is no key of movement. */
export function dayAfterKey(key: string, day: string): string | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
  const step = steps[key]
  if (step !== undefined) return shiftDay(day, step)
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  if (key === 'Home') return shiftDay(day, -weekday)
  if (key === 'End') return shiftDay(day, 6 - weekday)
  if (key === 'PageUp') return inMonth(shiftMonth(day.slice(0, 7), -1), day)
  if (key === 'PageDown') return inMonth(shiftMonth(day.slice(0, 7), 1), day)
  return null
}

/** The same day of another month, or its last one. */
function inMonth(month: string, day: string): string {
  const same = `${month}-${day.slice(8)}`
  const last = shiftDay(`${shiftMonth(month, 1)}-01`, -1)
  return same < last ? same : last
}

const named = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** `November 2026` */
export const monthName = (month: string) => named(`${month}-01`, { month: 'long', year: 'numeric' })

/** `Monday, November 23, 2026` */
export const dayName = (day: string) => named(day, { dateStyle: 'full' })

/** From Monday to Sunday, long and short. */
export const WEEKDAYS = daysOf('2026-11')
  .slice(0, 7)
  .map((day) => ({
    long: named(day, { weekday: 'long' }),
    short: named(day, { weekday: 'short' }),
  }))
