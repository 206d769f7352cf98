import { describe, expect, test } from 'vitest'
import { backoffMs } from './deliver-mails'

describe('the wait before the next attempt', () => {
  test.each([
    [1, 0.5, 5_000],
    [2, 0.5, 10_000],
    [5, 0.5, 80_000],
    [8, 0.5, 640_000],
    [9, 0.5, 900_000],
    [40, 0.5, 900_000],
    [1, 0, 5_000],
    [1, 0.999, 6_248],
    [2, 0, 7_500],
    [30, 0.999, 900_000],
  ])('after %i failures with chance %d is %i ms', (attempts, random, ms) => {
    expect(backoffMs(attempts, 0, random)).toBe(ms)
  })

  test('is never shorter than the provider asks', () => {
    expect(backoffMs(1, 120_000, 0)).toBe(120_000)
    expect(backoffMs(1, 3_600_000, 0)).toBe(3_600_000)
    expect(backoffMs(9, 1_000, 0.5)).toBe(900_000)
  })
})
