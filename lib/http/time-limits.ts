import { isSafeMethod } from '@/lib/auth/request-origin'
import { withBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'
import type { RouteSpec } from './route-spec'

type Described = Pick<RouteSpec, 'readOnly' | 'upload'>

/**
 * Runs a request on a database whose waits, for connections and then for a lock, end within ten
 * seconds whatever it asks for. The embedded database has one connection, which an install may
 * keep.
 */
export const withinWaits = <T>(
  { dialect, settings }: Pick<Deps, 'dialect' | 'settings'>,
  work: () => Promise<T>,
): Promise<T> => {
  // Half of the time in which clients hear, since what is then read may wait for a lock.
  const waitMs = dialect === 'postgres' ? settings.READ_TIMEOUT_MS / 2 : undefined
  return withBudget({ waitMs, request: {} }, work)
}

/** Runs the identification of the caller: its statements end in time, or with the request. */
export const withinReadTime = <T>(
  request: Request,
  settings: Env,
  work: () => Promise<T>,
): Promise<T> => withBudget(reading(settings, request), work)

/**
 * Runs the work of a request. Reads end after `READ_TIMEOUT_MS` and when the client leaves; changes
 * end after `WRITE_TIMEOUT_MS` and continue without the client, unless the spec says otherwise.
 * Uploads have no such limit.
 */
export function withinTime<T>(
  spec: Described & Pick<RouteSpec, 'endsWithClient'>,
  request: Request,
  settings: Env,
  work: () => Promise<T>,
): Promise<T> {
  if (isReading(spec, request)) return withinReadTime(request, settings, work)
  if (spec.upload) return work()
  const client = spec.endsWithClient ? request : undefined
  const ms = settings.WRITE_TIMEOUT_MS
  return withBudget({ ms, client, exceeded: once(() => tooSlow('change', ms)) }, work)
}

export const isReading = (spec: Pick<Described, 'readOnly'>, { method }: Request): boolean =>
  spec.readOnly === true || isSafeMethod(method)

const reading = ({ READ_TIMEOUT_MS: ms }: Env, client: Request) => ({
  ms,
  exceeded: once(() => tooSlow('request', ms)),
  client,
})

/** Counts once per request: later statements of it are refused too. */
function once(makeError: () => AppError): () => AppError {
  let error: AppError | undefined
  return () => {
    if (!error) metrics().stopped.inc({ reason: 'timed out' })
    error ??= makeError()
    return error
  }
}

const tooSlow = (what: string, ms: number) =>
  new AppError(
    'unavailable',
    `The ${what} took longer than ${ms / 1000} seconds and was stopped; ask for less, or try again`,
    { retryAfter: 1 },
  )
