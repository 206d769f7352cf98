import { describe, expect, test } from 'vitest'
import { relativeTime } from './relative-time'

const NOW = Date.parse('2026-03-31T15:16:17.018Z')

describe('a time relative to now', () => {
  test.each([
    ['$now', '2026-03-31T15:16:17.018Z'],
    ['$today', '2026-03-31T00:00:00.000Z'],
    ['$now(-7d)', '2026-03-24T15:16:17.018Z'],
    ['$now(+90m)', '2026-03-31T16:46:17.018Z'],
    ['$now(30s)', '2026-03-31T15:16:47.018Z'],
    ['$today(-2w)', '2026-03-17T00:00:00.000Z'],
    ['$today(-12h)', '2026-03-30T12:00:00.000Z'],
    ['$today(-1mo)', '2026-02-28T00:00:00.000Z'],
    ['$today(11mo)', '2027-02-28T00:00:00.000Z'],
    ['$now(-2y)', '2024-03-31T15:16:17.018Z'],
  ])('%s is %s', (text, time) => {
    expect(relativeTime(text, NOW)).toBe(time)
  })

  test.each([
    '$Now',
    '$now()',
    '$now(-7)',
    '$now(-7 d)',
    '$now(-7q)',
    'now',
    '$now(-9999y)',
    '$now(999999y)',
  ])('%s is none', (text) => {
    expect(relativeTime(text, NOW)).toBeNull()
  })
})
