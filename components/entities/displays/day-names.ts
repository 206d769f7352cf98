import { LOCALE } from '@/components/ui/locale'
import { daysOf } from './month'

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
