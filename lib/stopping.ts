import { setMaxListeners } from 'node:events'

// On `globalThis`: instrumentation and route handlers have a copy of this module each.
const shared = globalThis as typeof globalThis & { __engineStopping?: AbortController }

/**
 * Aborts when the server begins to stop. A response without an end of its own (an event stream)
 * must end then, or the server waits for it until it is killed.
 */
export function stopping(): AbortSignal {
  shared.__engineStopping ??= newController()
  return shared.__engineStopping.signal
}

/** Every job and stream listens: their number is no leak. */
function newController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

export function beginStopping(): void {
  stopping()
  shared.__engineStopping?.abort()
}
