import { expect, it } from 'vitest'
import { timeLeft } from './time-left'

it.each([
  [-1, 'Expired'],
  [0, 'Expired'],
  [59 * 60_000, 'Less than an hour'],
  [3_600_000, '1 hour'],
  [23.9 * 3_600_000, '23 hours'],
  [24 * 3_600_000, '1 day'],
  [6.99 * 24 * 3_600_000, '7 days'],
  [6.2 * 24 * 3_600_000, '6 days'],
])('%i ms are %s', (ms, text) => {
  expect(timeLeft(ms)).toBe(text)
})
