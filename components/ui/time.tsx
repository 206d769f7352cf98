'use client'
import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * An instant in the reader's time zone; the ISO value on hover. The server knows no time zone, so
 * its text is UTC until the page is alive: both have the same length, so nothing moves.
 */
export function Time({ value, relative = false }: { value: string | null; relative?: boolean }) {
  const alive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  if (!value) return <span className="text-muted-foreground">—</span>
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <span>{value}</span>
  return (
    <time dateTime={value} title={value} className="whitespace-nowrap" suppressHydrationWarning>
      {relative && alive ? ago(date) : format(date, alive ? undefined : 'UTC')}
    </time>
  )
}

/** `2026-03-14 09:05:00`, sortable by eye in every locale. */
function format(date: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  }).format(date)
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `5 min. ago`; a date when it is more than 30 days away. */
function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  if (Math.abs(seconds) > 30 * 86_400) return format(date)
  const found = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  if (!found) return 'just now'
  const formatter = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'auto' })
  return formatter.format(Math.round(seconds / found[1]), found[0])
}
