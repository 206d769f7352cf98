import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'

/** Longest stretch for which other requests wait, but for the last step of it. */
const SLICE_MS = 10

const oneAtATime = pLimit(1)

/**
 * Runs a computation that yields now and then, with other requests served in between. Of several at
 * once each has a slice in turn, so that their number makes no slice longer.
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

/** Null when time was over before the end. */
function runSlice<T>(steps: Generator<unknown, T>): { value: T } | null {
  const until = performance.now() + SLICE_MS
  do {
    const { done, value } = steps.next()
    if (done) return { value }
  } while (performance.now() < until)
  return null
}
