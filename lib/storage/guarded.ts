import { AppError } from '@/lib/errors'
import type { Storage } from './storage'

/** So many failures in a row, and the storage is left alone for a while. */
const FAILURES = 5
const PAUSE_MS = 30_000

/**
 * The storage behind a breaker: after five failures in a row everything is refused for 30 seconds
 * with `upstream_failed`, then one call is let through to see. `now` in milliseconds.
 */
export function guarded(storage: Storage, now: () => number = Date.now): Storage {
  let failures = 0
  let closedUntil = 0

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failures >= FAILURES) {
      if (now() < closedUntil) throw paused(closedUntil - now())
      closedUntil = now() + PAUSE_MS // of the calls that come meanwhile, only this one goes through
    }
    try {
      const result = await work()
      failures = 0
      return result
    } catch (error) {
      if (!isFailure(error)) throw error
      failures++
      if (failures >= FAILURES) closedUntil = now() + PAUSE_MS
      throw error
    }
  }

  return {
    ...storage,
    put: (object) => guard(() => storage.put(object)),
    label: (key, labels) => guard(() => storage.label(key, labels)),
    remove: (key) => guard(() => storage.remove(key)),
    describe: (key) => guard(() => storage.describe(key)),
  }
}

const isFailure = (error: unknown) =>
  error instanceof AppError &&
  (error.code === 'upstream_failed' || error.code === 'upstream_timeout')

const paused = (ms: number) =>
  new AppError('upstream_failed', 'The image storage failed repeatedly; try again in a moment', {
    retryAfter: Math.ceil(ms / 1000),
  })
