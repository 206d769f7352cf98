import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { stopping } from './stopping'

/** Work that a process does once at a time. `failed` is said in the log when it throws: what is left is done when it is started again. */
export type BackgroundWork = {
  name: string
  run: (deps: Deps, signal: AbortSignal) => Promise<void>
  failed: string
}

type Run = { isWanted: boolean; done: Promise<void> }

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & {
  __engineWork?: Map<string, WeakMap<object, Run>>
}
shared.__engineWork ??= new Map()
const works = shared.__engineWork

/**
 * Does `work` in the background, also after the request or job that calls this has ended; once more if it is running. Resolves when it is
 * done, with its last run. Never throws.
 */
export function startWork(deps: Deps, work: BackgroundWork): Promise<void> {
  const runs = works.get(work.name) ?? new WeakMap<object, Run>()
  works.set(work.name, runs)
  const running = runs.get(deps.db)
  if (running) {
    running.isWanted = true
    return running.done
  }
  const state: Run = { isWanted: true, done: Promise.resolve() }
  runs.set(deps.db, state)
  state.done = repeat(deps, work, state).finally(() => runs.delete(deps.db))
  return state.done
}

async function repeat(deps: Deps, { run, failed }: BackgroundWork, state: Run): Promise<void> {
  const signal = stopping()
  while (state.isWanted && !signal.aborted) {
    state.isWanted = false
    await withOwnBudget({ signal }, () => run(deps, signal)).catch((error) =>
      deps.log.warn({ error: reasonOf(error) }, failed),
    )
  }
}

/** Work that takes up jobs one after the other, until none is left for this process. */
export const jobByJob =
  <Job>(
    claim: (db: Deps['db'], holder: string) => Promise<Job | null>,
    runJob: (deps: Deps, job: Job, signal: AbortSignal) => Promise<unknown>,
  ): BackgroundWork['run'] =>
  async (deps, signal) => {
    while (!signal.aborted) {
      const job = await claim(deps.db, crypto.randomUUID())
      if (!job) return
      await runJob(deps, job, signal)
    }
  }
