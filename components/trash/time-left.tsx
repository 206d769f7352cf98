import { useSyncExternalStore } from 'react'
import { countOf } from '@/components/ui/number'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const never = () => () => {}

/** `6 days left`; what it says depends on the time, so it waits for the browser. */
export function TimeLeft({ until }: { until: string }) {
  const alive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <time dateTime={until} title={until} className="whitespace-nowrap" suppressHydrationWarning>
      {alive ? timeLeft(Date.parse(until) - Date.now()) : '\u00a0'}
    </time>
  )
}

/** Hours are rounded down; days to the nearest, so that what was just deleted for 7 days has 7 days left. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return 'Expired'
  if (ms < HOUR_MS) return 'Less than an hour'
  return ms < DAY_MS
    ? countOf(Math.floor(ms / HOUR_MS), 'hour')
    : countOf(Math.round(ms / DAY_MS), 'day')
}
