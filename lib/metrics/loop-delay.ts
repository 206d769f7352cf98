import 'server-only'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const WINDOW_MS = 500
const RESOLUTION_MS = 20

// On `globalThis`: instrumentation and each route have a copy of this module.
const shared = globalThis as typeof globalThis & { __engineLoopDelayMs?: number }

/**
 * The delay of the event loop in milliseconds: the median of the last half second, which a single
 * pause does not raise. 0 where it is not measured.
 */
export const loopDelayMs = (): number => shared.__engineLoopDelayMs ?? 0

export function noteLoopDelay(ms: number): void {
  shared.__engineLoopDelayMs = ms
}

export function measureLoopDelay(): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  setInterval(() => {
    noteLoopDelay(Math.max(0, delays.percentile(50) / 1e6 - RESOLUTION_MS))
    delays.reset()
  }, WINDOW_MS).unref()
}
