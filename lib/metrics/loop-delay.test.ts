import { setTimeout as later } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { loopDelayMs, measureLoopDelay, recordLoopDelay } from './loop-delay'

afterEach(() => recordLoopDelay(0))

/** Keeps the event loop from everything else. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a pause before the first look is no delay: of a start, of one long request', async () => {
  const end = measureLoopDelay()
  block(700)
  // Until the looks that were due have been taken.
  await later(100)
  expect(loopDelayMs()).toBeLessThan(250)
  end()
})

test('pauses one after the other are a delay, which is over when they are', async () => {
  const end = measureLoopDelay()
  for (let pause = 0; pause < 8; pause++) {
    block(320)
    await later(0)
  }
  await expect.poll(loopDelayMs, { interval: 0 }).toBeGreaterThan(150)
  await expect.poll(loopDelayMs).toBeLessThan(150)
  end()
})
