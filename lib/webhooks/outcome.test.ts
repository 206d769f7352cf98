import { expect, test } from 'vitest'
import { afterFailure } from './outcome'

const failure = { error: 'no', retryAfter: null, isOfAll: false, tried: 1 }
const waitOf = (more: object, random = 0.5) => {
  const outcome = afterFailure({ ...failure, ...more }, Date.parse('2026-11-27T10:00:00Z'), random)
  return 'waitMs' in outcome ? outcome.waitMs / 1000 : outcome.status
}

test('attempts are made over three days, and then no more', () => {
  const waits = Array.from({ length: 10 }, (_, at) => waitOf({ tried: at + 1 }))
  expect(waits.slice(0, 4)).toEqual([5, 300, 1800, 7200])
  expect(waits.at(-1)).toBe('failed')
  const hours = waits.slice(0, -1).reduce<number>((sum, wait) => sum + Number(wait) / 3600, 0)
  expect(Math.round(hours)).toBe(72)
})

test('a fifth more or less keeps receivers from being asked all at once', () => {
  expect([waitOf({}, 0), waitOf({}, 0.999_999)]).toEqual([4, 6])
})

test.each([
  ['120', 120],
  ['Fri, 27 Nov 2026 10:03:00 GMT', 180],
  ['1', 5],
  ['soon', 5],
  ['Fri, 27 Nov 2026 09:00:00 GMT', 5],
  ['99999999999', 6 * 3600],
])('Retry-After %s waits %d seconds', (retryAfter, seconds) => {
  expect(waitOf({ retryAfter })).toBe(seconds)
})

test('only a receiver that asks so for all it gets is left alone', () => {
  const held = (isOfAll: boolean) => afterFailure({ ...failure, retryAfter: '60', isOfAll })
  expect(held(true)).toMatchObject({ holdMs: 60_000 })
  expect(held(false)).toMatchObject({ holdMs: 0 })
})
