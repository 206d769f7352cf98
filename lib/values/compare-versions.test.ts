import { expect, test } from 'vitest'
import { compareVersions } from './compare-versions'

test.each([
  ['1.9', '1.10'],
  ['1.2.3', '1.2.4'],
  ['1.2', '1.2.1'],
  ['v1', '2'],
  ['2.0.0-beta', '2.0.0'],
  ['2.0.0-beta.2', '2.0.0-beta.10'],
  ['1.9.9', '2.0.0-beta'],
])('%s is older than %s', (older, newer) => {
  expect(Math.sign(compareVersions(older, newer))).toBe(-1)
  expect(Math.sign(compareVersions(newer, older))).toBe(1)
})

test.each([
  ['1', '1.0.0'],
  ['v1.2', ' V1.2 '],
  ['1.2+build.7', '1.2+build.8'],
])('%j and %j are the same version', (one, other) => {
  expect(compareVersions(one, other)).toBe(0)
})
