import { formatInstant, zoneName } from './time-text'
import { useAlive } from './use-time-zone'

type Props = {
  value: string | null
  relative?: boolean
  /** Says the zone too, where a time is more than a mark of order. */
  zone?: boolean
}

/**
 * An instant in the reader's time zone; the ISO value on hover. The server knows no time zone, so
 * its text is UTC until the page is alive: both have the same length, so nothing moves.
 */
export function Time({ value, relative = false, zone = false }: Props) {
  const alive = useAlive()
  const timeZone = alive ? undefined : 'UTC'
  if (!value) return <span className="text-muted-foreground">—</span>
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return <span>{value}</span>
  return (
    <time dateTime={value} title={value} className="whitespace-nowrap" suppressHydrationWarning>
      {relative && alive ? ago(date) : formatInstant(date, timeZone)}
      {zone && (
        <span className="text-muted-foreground" suppressHydrationWarning>
          {` ${zoneName(date, timeZone)}`}
        </span>
      )}
    </time>
  )
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `5 min. ago`; a date when it is more than 30 days away. */
function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  if (Math.abs(seconds) > 30 * 86_400) return formatInstant(date)
  const found = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  if (!found) return 'just now'
  const formatter = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'auto' })
  return formatter.format(Math.round(seconds / found[1]), found[0])
}
