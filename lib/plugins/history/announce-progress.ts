import { hint } from '@/lib/db/hint'
import type { Deps } from '@/lib/deps'

/** Watchers look at an install at most so often, however fast its files are done. */
const MIN_INTERVAL_MS = 250

/** Makes a function that tells watchers on every instance to look at an install; `now`: at once. */
export function progressAnnouncer(deps: Pick<Deps, 'bus' | 'log'>, installId: number) {
  let last = Number.NEGATIVE_INFINITY
  return async ({ now = false } = {}): Promise<void> => {
    if (!now && performance.now() - last < MIN_INTERVAL_MS) return
    last = performance.now()
    await hint(deps, 'engine_installs', String(installId))
  }
}
