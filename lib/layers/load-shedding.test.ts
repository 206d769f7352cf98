import { afterEach, expect, test } from 'vitest'
import { recordLoopDelay } from '@/lib/metrics/loop-delay'
import { requireCapacity, shedShare } from './load-shedding'

afterEach(() => recordLoopDelay(0))

test.each([
  ['heavy', 0, 0],
  ['heavy', 250, 0],
  ['heavy', 375, 0.5],
  ['heavy', 500, 1],
  ['heavy', 9000, 1],
  ['light', 1000, 0],
  ['light', 1500, 0.5],
  ['light', 9000, 1],
  ['vital', 9000, 0],
] as const)('of %s requests at a delay of %i ms the part %d is refused', (load, delayMs, share) => {
  expect(shedShare(load, delayMs, 250)).toBe(share)
})

test('a part is refused evenly', () => {
  recordLoopDelay(375)
  const isRefused = () => {
    try {
      requireCapacity('heavy', 250)
      return false
    } catch {
      return true
    }
  }
  expect(Array.from({ length: 8 }, isRefused).filter(Boolean)).toHaveLength(4)
})
