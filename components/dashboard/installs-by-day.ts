export type Day = { day: string; good: number; partial: number; failed: number }
type Install = { startedAt: string; status: string }

export const DAYS = 30
const DAY_MS = 24 * 60 * 60_000

/** Midnight UTC of the first of the days that are shown. */
export const firstDay = (now: number): string =>
  new Date(Math.floor(now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS).toISOString()

/** Installs by day in UTC, days without one included, the oldest first. */
export function installsByDay(installs: readonly Install[], now: number): Day[] {
  const start = Date.parse(firstDay(now))
  const days = Array.from({ length: DAYS }, (_, at): Day => {
    const day = new Date(start + at * DAY_MS).toISOString().slice(0, 10)
    return { day, good: 0, partial: 0, failed: 0 }
  })
  const byDay = new Map(days.map((day) => [day.day, day]))
  for (const { startedAt, status } of installs) {
    const day = byDay.get(startedAt.slice(0, 10))
    if (!day) continue
    if (status === 'SUCCESS') day.good++
    else if (status === 'PARTIAL') day.partial++
    else if (status === 'FAILED') day.failed++
  }
  return days
}
