const MIN_MS = 5_000
const MAX_MS = 15 * 60_000

/**
 * How long to wait after the `attempts`-th failure: 5 s, doubled each time up to 15 minutes, with a
 * quarter of jitter, and never shorter than the provider asked for. `random` is in [0, 1).
 */
export function backoffMs(attempts: number, retryAfterMs = 0, random = Math.random()): number {
  const doubled = Math.min(MAX_MS, MIN_MS * 2 ** Math.min(attempts - 1, 30))
  const jittered = doubled * (0.75 + random / 2)
  return Math.round(Math.max(Math.min(MAX_MS, Math.max(MIN_MS, jittered)), retryAfterMs))
}
