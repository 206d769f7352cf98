import { hint } from '@/lib/db/hint'
import type { Deps } from '@/lib/deps'

/** The shortest time between two notifications of watchers, however fast files are done. */
const MIN_INTERVAL_MS = 250

/** Returns a function that notifies watchers on every instance of progress; `now`: immediately. */
export function progressAnnouncer(deps: Pick<Deps, 'bus' | 'log'>, installId: number) {
  let last = Number.NEGATIVE_INFINITY
  return async ({ now = false } = {}): Promise<void> => {
    if (!now && performance.now() - last < MIN_INTERVAL_MS) return
    last = performance.now()
    await hint(deps, 'engine_installs', String(installId))
  }
}
