import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'

/** The longest time for which other requests wait, apart from the last step. */
const SLICE_MS = 10

const oneAtATime = pLimit(1)

/**
 * Runs a computation that yields now and then, with other requests served in between. Concurrent
 * computations take slices in turn, so that no slice becomes longer by their number.
 */
export async function inSlices<T>(steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const result = await oneAtATime(async () => {
      const result = runSlice(steps)
      if (!result) await nextTurn()
      return result
    })
    if (result) return result.value
  }
}

/** Null when the slice ended before the computation. */
function runSlice<T>(steps: Generator<unknown, T>): { value: T } | null {
  const until = performance.now() + SLICE_MS
  do {
    const { done, value } = steps.next()
    if (done) return { value }
  } while (performance.now() < until)
  return null
}
