import pLimit, { type LimitFunction } from 'p-limit'

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
