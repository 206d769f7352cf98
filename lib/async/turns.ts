import { setImmediate } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'

/** The longest time of work between two turns of the event loop. */
const TURN_MS = 3

/** Calls `work` for each item in order, with other requests served in between. */
export async function forEachInTurns<T>(
  items: readonly T[],
  work: (item: T, at: number) => void,
): Promise<void> {
  const giveTurn = turnGiver()
  let at = 0
  for (const item of items) {
    work(item, at++)
    const turn = giveTurn()
    if (turn) await turn
  }
}

/**
 * A function for long loops: returns a promise to await when other requests have waited long
 * enough.
 */
export function turnGiver(): () => Promise<void> | null {
  let since = performance.now()
  const give = async () => {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < TURN_MS ? null : give())
}

type Runner = { run: LimitFunction; pending: number }
const runners = new Map<string, Runner>()

/**
 * Runs `work` in order of arrival, with at most `limit` runs per `key` at a time in this process.
 */
export async function inTurn<T>(key: string, limit: number, work: () => Promise<T>): Promise<T> {
  const runner = runners.get(key) ?? { run: pLimit(limit), pending: 0 }
  runners.set(key, runner)
  runner.pending++
  try {
    return await runner.run(work)
  } finally {
    if (--runner.pending === 0) runners.delete(key)
  }
}
