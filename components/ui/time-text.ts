import { LOCALE } from './number'

const INSTANT = /^\d{4,}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i

/** The instant that an ISO 8601 text with a zone names; null for any other text. */
export function instantOf(text: string): Date | null {
  const date = INSTANT.test(text) ? new Date(text) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

/** `2026-03-14 09:05:00`, sortable by eye in every locale; without a zone: the reader's. */
export const formatInstant = (date: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(
    date,
  )

/** What the zone is called at that instant: `UTC`, `GMT+1`, `EST`. */
export function zoneName(date: Date, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName: 'short' })
  return format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** `2026-01-02T10:00:00.000Z` → what the browser's control shows in the reader's time zone. */
export function toLocal(value: unknown): string {
  const date = new Date(String(value ?? ''))
  if (Number.isNaN(date.getTime())) return ''
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

/** The instant that the browser's control means in the reader's time zone; empty for half a value. */
export function toIso(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
