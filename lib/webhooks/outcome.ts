/** What becomes of a delivery after an attempt. */
export type Outcome =
  | { status: 'delivered' }
  | { status: 'withheld' | 'failed'; error: string }
  /** `holdMs`: for so long nothing else is sent to the receiver either. */
  | { status: 'queued'; error: string; waitMs: number; holdMs: number }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Between the attempts: three days in all, as Standard Webhooks recommends. */
const DELAYS_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS,
]
/** Of what receivers ask for. */
const MAX_ASKED_MS = 6 * HOUR_MS

type Failure = {
  error: string
  /** As the receiver answered it. */
  retryAfter: string | null
  /** Whether that is about all that is sent to it. */
  isOfAll: boolean
  /** Attempts that ended, including the one that failed. */
  tried: number
}

/** After a failed attempt: the next one with up to a fifth more or less, never before what the receiver asked for. `random` is in [0, 1). */
export function afterFailure(
  { error, retryAfter, isOfAll, tried }: Failure,
  now = Date.now(),
  random = Math.random(),
): Outcome {
  const delayMs = DELAYS_MS[tried - 1]
  if (delayMs === undefined) return { status: 'failed', error }
  const leastMs = Math.min(MAX_ASKED_MS, askedMs(retryAfter, now))
  const waitMs = Math.round(Math.max(delayMs * (0.8 + random * 0.4), leastMs))
  return { status: 'queued', error, waitMs, holdMs: isOfAll ? leastMs : 0 }
}

/** `Retry-After`, in seconds or as a date; 0 for any other text. */
function askedMs(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}
