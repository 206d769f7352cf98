import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { stopping } from '@/lib/stopping'
import { buildIndexes } from './build-indexes'

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & {
  __engineBuilds?: WeakMap<object, { isWanted: boolean }>
}
shared.__engineBuilds ??= new WeakMap()
const builds = shared.__engineBuilds

/**
 * Builds and drops indexes in the background until they are as they should be, also after the request
 * or job that calls this has ended. What fails is done when this is called again.
 */
export function startBuilding(deps: Deps): void {
  const running = builds.get(deps.db)
  if (running) {
    running.isWanted = true
    return
  }
  const state = { isWanted: true }
  builds.set(deps.db, state)
  void run(deps, state).finally(() => builds.delete(deps.db))
}

async function run(deps: Deps, state: { isWanted: boolean }): Promise<void> {
  while (state.isWanted && !stopping().aborted) {
    state.isWanted = false
    // A stop cancels the statement; the next start drops what is left of it and begins again.
    await withOwnBudget({ signal: stopping() }, () => buildIndexes(deps)).catch((error) =>
      deps.log.warn({ error: reasonOf(error) }, 'indexes were not built'),
    )
  }
}
