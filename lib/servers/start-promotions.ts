import { randomUUID } from 'node:crypto'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { stopping } from '@/lib/stopping'
import { runPromotion } from './jobs/run-promotion'
import { claimPromotion } from './jobs/store'
import { hasOwnRoutes } from './own-routes'

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & {
  __enginePromotions?: WeakMap<object, { isWanted: boolean; done: Promise<void> }>
}
shared.__enginePromotions ??= new WeakMap()
const runs = shared.__enginePromotions

/**
 * Plans, carries out and undoes the promotions that wait, one after the other, also after the request or job that calls
 * this has ended. Resolves when none is left for this process.
 */
export function startPromotions(deps: Deps): Promise<void> {
  const running = runs.get(deps.db)
  if (running) {
    running.isWanted = true
    return running.done
  }
  if (!hasOwnRoutes()) return Promise.resolve()
  const state = { isWanted: true, done: Promise.resolve() }
  runs.set(deps.db, state)
  state.done = run(deps, state).finally(() => runs.delete(deps.db))
  return state.done
}

async function run(deps: Deps, state: { isWanted: boolean }): Promise<void> {
  const signal = stopping()
  while (state.isWanted && !signal.aborted) {
    state.isWanted = false
    await withOwnBudget({ signal }, () => runAll(deps, signal)).catch((error) =>
      deps.log.warn({ error: reasonOf(error) }, 'promotions were not carried out'),
    )
  }
}

async function runAll(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const job = await claimPromotion(deps.db, randomUUID())
    if (!job) return
    await runPromotion(deps, job, signal)
  }
}
