import { setImmediate } from 'node:timers/promises'

/** The longest time of work between two turns of the event loop. */
const TURN_MS = 3

/** Calls `work` for each item in order, with other requests served in between. */
export async function forEachInTurns<T>(
  items: readonly T[],
  work: (item: T, at: number) => void,
): Promise<void> {
  const giveTurn = turnGiver()
  let at = 0
  for (const item of items) {
    work(item, at++)
    const turn = giveTurn()
    if (turn) await turn
  }
}

/**
 * A function for long loops: returns a promise to await when other requests have waited long
 * enough.
 */
export function turnGiver(): () => Promise<void> | null {
  let since = performance.now()
  const give = async () => {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < TURN_MS ? null : give())
}
