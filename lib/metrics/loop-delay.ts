const TICK_MS = 50
/** So that the work of one request, however long, is one of them. */
const TICKS = 9

// On `globalThis`: instrumentation and each route have a copy of this module.
const shared = globalThis as typeof globalThis & { __engineLoopDelayMs?: number }

/**
 * The delay of the event loop in milliseconds: the median of the last nine looks, which single pauses do not raise, however
 * long, and which is low again as soon as five looks in a row were on time. 0 where it is not measured.
 */
export const loopDelayMs = (): number => shared.__engineLoopDelayMs ?? 0

export function recordLoopDelay(ms: number): void {
  shared.__engineLoopDelayMs = ms
}

/** Begins to measure; returns a function that ends it. To be called when the process serves: its start is no load. */
export function measureLoopDelay(): () => void {
  const delays = Array.from({ length: TICKS }, () => 0)
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    delays.shift()
    delays.push(Math.max(0, now - last - TICK_MS))
    last = now
    recordLoopDelay([...delays].sort((a, b) => a - b)[(TICKS - 1) / 2] ?? 0)
  }, TICK_MS).unref()
  return () => clearInterval(timer)
}
