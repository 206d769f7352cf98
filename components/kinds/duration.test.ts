import { expect, test } from 'vitest'
import { duration } from './duration'
import { formOf } from './value-forms'

test.each([
  ['P1DT2H30M', '1 day 2 h 30 min'],
  ['P2Y1M3DT0.5S', '2 years 1 month 3 days 0.5 s'],
  ['P-1DT-2H', '−1 day −2 h'],
  ['PT0S', '0 s'],
  ['P', 'P'],
  ['PT', 'PT'],
  ['soon', 'soon'],
])('%s reads %s', (text, words) => {
  expect(duration.format(text, { isNumbering: false })).toBe(words)
})

test('a form takes ISO 8601, and says so of other texts', () => {
  expect(formOf('duration').parse(' PT90M ')).toEqual({ value: 'PT90M' })
  expect(formOf('duration').parse('90 minutes')).toEqual({
    error: 'Enter a duration, such as P1DT2H30M',
  })
})
