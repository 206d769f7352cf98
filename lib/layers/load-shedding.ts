import type { Layer, Points } from '@/lib/around'
import { AppError } from '@/lib/errors'
import { loopDelayMs } from '@/lib/metrics/loop-delay'
import { metrics } from '@/lib/metrics/metrics'

/**
 * Refuses requests while the process is overloaded: `vital` ones never, `light` ones (a record, a session, a small change
 * or upload) late, `heavy` ones (searches, exports, installs, large uploads) first.
 */
export const loadShedding: Layer = {
  name: 'load-shedding',
  around: {
    async serve(deps, { spec, request }, next) {
      requireCapacity(spec.load ?? loadOf(spec, request), deps.settings.SHED_DELAY_MS)
      return next(deps)
    },
  },
}

type Spec = Points['serve']['input']['spec']
type Load = NonNullable<Spec['load']>

/** An upload of this size costs no more than a record: its image is worked on in another thread. */
const SMALL_UPLOAD_BYTES = 1024 * 1024

function loadOf({ upload }: Spec, { headers }: Request): Load {
  if (!upload) return 'light'
  const length = headers.get('content-length')
  return length !== null && Number(length) <= SMALL_UPLOAD_BYTES ? 'light' : 'heavy'
}

/** Times the tolerated delay at which requests begin to be refused; at twice as much all are. */
const TOLERANCE: Record<Load, number> = { vital: Infinity, light: 4, heavy: 1 }
const RETRY_AFTER_S = 2

const owed: Record<Load, number> = { vital: 0, light: 0, heavy: 0 }

/** Throws `unavailable` for a share of the requests while the process is overloaded. */
export function requireCapacity(load: Load, toleratedMs: number): void {
  const share = shedShare(load, loopDelayMs(), toleratedMs)
  if (share === 0) return
  owed[load] += share
  if (owed[load] < 1) return
  owed[load] -= 1
  metrics().shed.inc({ what: load, reason: 'overload' })
  throw overloaded()
}

/** Throws `unavailable` while some of such requests would be. */
export function requireReady(load: Load, toleratedMs: number): void {
  if (shedShare(load, loopDelayMs(), toleratedMs) > 0) throw overloaded()
}

const overloaded = () =>
  new AppError('unavailable', 'The server is overloaded; try again in a moment', {
    retryAfter: RETRY_AFTER_S,
  })

/** The share of requests to refuse, from 0 to 1. */
export function shedShare(load: Load, delayMs: number, toleratedMs: number): number {
  const begins = TOLERANCE[load] * toleratedMs
  return Math.min(1, Math.max(0, delayMs / begins - 1))
}
