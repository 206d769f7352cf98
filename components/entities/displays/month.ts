/** Days are texts such as `2026-11-23`, months such as `2026-11`; weeks begin on Monday (ISO 8601). */

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const DAY_MS = 86_400_000

/** The month that the address names, else that of `today`. */
export const monthOf = (month?: string | null, today = new Date()): string =>
  month && MONTH.test(month) ? month : today.toISOString().slice(0, 7)

export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10)

/** The days of the weeks that a month has days in: 28, 35 or 42. */
export function daysOf(month: string): string[] {
  const first = `${month}-01`
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const start = shiftDay(first, -before)
  const end = `${shiftMonth(month, 1)}-01`
  const days: string[] = []
  for (let day = start; day < end || days.length % 7 !== 0; day = shiftDay(day, 1)) days.push(day)
  return days
}
