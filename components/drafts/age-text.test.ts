import { expect, test } from 'vitest'
import { ageText } from './draft-notice'

test.each([
  [20, 'a moment ago'],
  [60, '1 minute ago'],
  [299, '4 minutes ago'],
  [7200, '2 hours ago'],
  [3 * 86_400, '3 days ago'],
  [-5, 'a moment ago'],
])('%i seconds: %s', (seconds, text) => {
  expect(ageText(1e12 - seconds * 1000, 1e12)).toBe(text)
})
