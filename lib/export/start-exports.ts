import { randomUUID } from 'node:crypto'
import { and, inArray, lte } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import { backgroundExports } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { stopping } from '@/lib/stopping'
import { runExport } from './jobs/run-export'
import { claimExport } from './jobs/store'

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & {
  __engineExports?: WeakMap<object, { isWanted: boolean; done: Promise<void> }>
}
shared.__engineExports ??= new WeakMap()
const runs = shared.__engineExports

/**
 * Prepares the exports that wait, one after the other, also after the request or job that calls this
 * has ended. Resolves when none is left for this process.
 */
export function startExports(deps: Deps): Promise<void> {
  const running = runs.get(deps.db)
  if (running) {
    running.isWanted = true
    return running.done
  }
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
      deps.log.warn({ error: reasonOf(error) }, 'exports were not prepared'),
    )
  }
}

async function runAll(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const job = await claimExport(deps.db, randomUUID())
    if (!job) return
    await runExport(deps, job, signal)
  }
}

/** Deletes exports that have waited long enough, with their files. */
export async function sweepExports({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { expiresAt, status } = backgroundExports
  const isOver = inArray(status, ['READY', 'FAILED', 'CANCELLED'])
  await db.delete(backgroundExports).where(and(lte(expiresAt, now), isOver))
}
