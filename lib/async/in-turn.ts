import pLimit, { type LimitFunction } from 'p-limit'

type Runner = { run: LimitFunction; pending: number }
const runners = new Map<string, Runner>()

/** Runs `work` so that of one `key` at most `limit` pieces are under way in this process, in order. */
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
