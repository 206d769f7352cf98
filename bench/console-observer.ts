/** What a page measures of its own loading. */
export type Observed = {
  /** Of the tasks, in ms; those under 50 ms are not reported. */
  longest: number
  /** Cumulative. */
  shift: number
}

/** Runs in the page before its own scripts. */
export function observe(): void {
  const seen = { longest: 0, shift: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as unknown as Shift
      if (!hadRecentInput) seen.shift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

type Shift = { value: number; hadRecentInput: boolean }

/** Runs in the page: the measurements since it was opened. */
export const observed = (): Observed => (window as unknown as { seen: Observed }).seen

/** Runs in the page: the longest task since the last call, once the page is at rest. */
export async function takeLongest(): Promise<number> {
  const { seen } = window as unknown as { seen: Observed }
  await new Promise((resolve) => requestIdleCallback(resolve))
  const { longest } = seen
  seen.longest = 0
  return longest
}

/**
 * Runs in the page: the time when all rows are rendered and clicks have an effect, in ms; else
 * false.
 */
export function usableSince(rows: number): number | false {
  const [control] = document.querySelectorAll('thead [role="checkbox"], thead input')
  const isInteractive =
    control && Object.keys(control).some((key) => key.startsWith('__reactProps'))
  return isInteractive && document.querySelectorAll('tbody tr').length >= rows
    ? performance.now()
    : false
}
