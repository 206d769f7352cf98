import type { Layer, Points } from '@/lib/around'
import { describeApiKey, readApiKey } from '@/lib/auth/api-key'
import { ownRequestActor } from '@/lib/auth/own-requests'
import { callerAddress, networkOf } from '@/lib/auth/request-origin'
import { readSessionCookie } from '@/lib/auth/session-cookie'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { metrics } from '@/lib/metrics/metrics'

/**
 * Limits how many requests each API key and each network without a valid credential may make in a time (`API_RATE_LIMIT`), on
 * all routes that ask for one. Sessions have no limit, nor have routes that are open to everybody or vital. Each process
 * counts by itself.
 */
export const rateLimit: Layer = {
  name: 'rate-limit',
  around: {
    async request(deps, { request }, next) {
      const response = await next(deps)
      const last = counted.get(request)
      if (!last) return response
      const { policy, quota, windowS, left, resetS } = last
      response.headers.set('RateLimit-Policy', `"${policy}";q=${quota};w=${windowS}`)
      response.headers.set('RateLimit', `"${policy}";r=${left};t=${resetS}`)
      return response
    },
    async serve(deps, received, next) {
      const { API_RATE_LIMIT: limit } = deps.settings
      if (!limit || !isLimited(received) || ownRequestActor(received.request)) return next(deps)
      const { request } = received
      const { keys, addresses } = countersOf(deps.settings)
      const key = readApiKey(request.headers)
      const hash = key && describeApiKey(key).hash
      const countAddress = () => {
        const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
        count(request, limit, 'address', addresses.add(networkOf(address), limit.seconds * 1000))
      }
      if (hash) count(request, limit, 'key', keys.add(hash, limit.seconds * 1000))
      else if (readSessionCookie(request.headers, deps.settings) === null) countAddress()
      return next(deps).catch((error) => {
        if (counted.get(request)?.policy === 'address' || !isUnknownCaller(error)) throw error
        // What is tried for a key leaves no counter, and counts for its sender.
        if (hash) keys.forget(hash)
        countAddress()
        throw error
      })
    },
  },
}

const isLimited = ({ spec: { access, load } }: Points['serve']['input']) =>
  access !== 'public' && access !== 'optional' && load !== 'vital'

const isUnknownCaller = (error: unknown) =>
  error instanceof AppError && error.code === 'unauthenticated'

type Policy = 'key' | 'address'
type Count = { policy: Policy; quota: number; windowS: number; left: number; resetS: number }

/** What the headers of a response say. */
const counted = new WeakMap<Request, Count>()

type Limit = NonNullable<Env['API_RATE_LIMIT']>

/** Notes what the headers say. Throws `rate_limited` when there were too many since the first of the window. */
function count(
  request: Request,
  { requests: quota, seconds: windowS }: Limit,
  policy: Policy,
  { used, resetMs }: Used,
): void {
  const resetS = Math.max(1, Math.ceil(resetMs / 1000))
  counted.set(request, { policy, quota, windowS, left: Math.max(0, quota - used), resetS })
  if (used <= quota) return
  metrics().shed.inc({ what: policy, reason: 'rate limit' })
  throw new AppError('rate_limited', `Too many requests; try again in ${resetS} s`, {
    retryAfter: resetS,
  })
}

/** Of each kind; beyond it, the one that was used least recently is forgotten. */
const MAX_COUNTERS = 10_000

type Used = { used: number; resetMs: number }

/** Counts from the first of a window on. */
export class Counters {
  private readonly windows = new Map<string, { used: number; endsAt: number }>()

  constructor(private readonly most = MAX_COUNTERS) {}

  add(subject: string, windowMs: number, now = performance.now()): Used {
    const known = this.windows.get(subject)
    const isOpen = known !== undefined && now < known.endsAt
    const window = isOpen ? known : { used: 0, endsAt: now + windowMs }
    window.used++
    this.windows.delete(subject)
    this.windows.set(subject, window)
    const [oldest] = this.windows.keys()
    if (this.windows.size > this.most && oldest !== undefined) this.windows.delete(oldest)
    return { used: window.used, resetMs: window.endsAt - now }
  }

  forget(subject: string): void {
    this.windows.delete(subject)
  }
}

type Kept = { keys: Counters; addresses: Counters }

// On `globalThis`: each route is a bundle with a copy of this module. By settings, for tests' sake.
const shared = globalThis as typeof globalThis & { __engineRateLimits?: WeakMap<object, Kept> }
shared.__engineRateLimits ??= new WeakMap()
const kept = shared.__engineRateLimits

function countersOf(settings: Env): Kept {
  const known = kept.get(settings)
  if (known) return known
  const made = { keys: new Counters(), addresses: new Counters() }
  kept.set(settings, made)
  return made
}
