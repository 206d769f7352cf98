import { expect, test } from 'vitest'
import { isInRange, VERSION_RANGE } from './version-range'

test.each([
  ['1.2.0', '>=1.2', true],
  ['1.1.9', '>=1.2', false],
  ['1.9.0', '>=1.2 <2', true],
  ['2.0.0', '>=1.2 <2', false],
  ['2.0.0-beta', '<2', true],
  ['1.0', '>1', false],
  ['1.0.1', '>1', true],
  ['1.0', '=1.0.0', true],
  ['1.1', '=1.0.0', false],
  ['0.9', '<=0.9', true],
])('%s in %s: %s', (version, range, expected) => {
  expect(range).toMatch(VERSION_RANGE)
  expect(isInRange(version, range)).toBe(expected)
})

test.each(['', '1.2', '^1.2', '>= 1.2', '>=1.2  <2', '>=a', '>=1 '])('%j is no range', (range) => {
  expect(range).not.toMatch(VERSION_RANGE)
})
