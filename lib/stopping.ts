import 'server-only'

// On `globalThis`: instrumentation and route handlers have a copy of this module each.
const shared = globalThis as typeof globalThis & { __engineStopping?: AbortController }

/**
 * Aborts when the server begins to stop. A response without an end of its own (an event stream)
 * must end then, or the server waits for it until it is killed.
 */
export function stopping(): AbortSignal {
  shared.__engineStopping ??= new AbortController()
  return shared.__engineStopping.signal
}

export function beginStopping(): void {
  stopping()
  shared.__engineStopping?.abort()
}
