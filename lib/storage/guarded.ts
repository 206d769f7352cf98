import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'
import { AppError } from '@/lib/errors'
import type { Storage } from './storage'

/** Failures in a row after which the breaker opens. */
const FAILURES = 5
const PAUSE_MS = 30_000

/**
 * The storage behind a circuit breaker: after five failures in a row all calls fail for 30 seconds
 * with `upstream_failed`, then one call is tried.
 */
export function guarded(storage: Storage): Storage {
  const breaker = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: PAUSE_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  })
  let pausedUntil = 0
  breaker.onStateChange(() => {
    pausedUntil = Date.now() + PAUSE_MS
  })

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    // The breaker would make calls wait for the one that is tried.
    if (breaker.state === CircuitState.HalfOpen) throw paused(pausedUntil)
    try {
      return await breaker.execute(work)
    } catch (error) {
      throw error instanceof BrokenCircuitError ? paused(pausedUntil) : error
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

const paused = (until: number) =>
  new AppError('upstream_failed', 'The image storage failed repeatedly; try again in a moment', {
    retryAfter: Math.ceil((until - Date.now()) / 1000),
  })
