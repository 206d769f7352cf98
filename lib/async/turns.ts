import { setImmediate } from 'node:timers/promises'

/** Longest stretch of work between two turns of the event loop. */
const TURN_MS = 8

/** Makes a function for long loops: a promise to await, when other requests have waited long enough. */
export function turnGiver(): () => Promise<void> | null {
  let since = performance.now()
  const give = async () => {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < TURN_MS ? null : give())
}
