import { expect, test } from 'vitest'
import { nearest, suggestion } from './nearest'

test.each([
  ['nmae', 'name'],
  ['tpye', 'type'],
  ['NAME', 'name'],
  ['nam', 'name'],
  ['munciipalityy', 'municipality'],
  ['xyz', null],
  ['na', null],
  ['', null],
  ['n'.repeat(300), null],
])('nearest to %j is %j', (name, expected) => {
  expect(nearest(name, ['type', 'name', 'municipality', 'n'.repeat(299)])).toBe(expected)
})

test('takes the closest, and the first of equally close ones', () => {
  expect(nearest('cout', ['coat', 'count', 'cut'])).toBe('coat')
  expect(nearest('airprt', ['airports', 'airport'])).toBe('airport')
})

test('suggests nothing when no name is near', () => {
  expect(suggestion('nmae', ['name'])).toBe('; did you mean "name"?')
  expect(suggestion('xyz', ['name'])).toBe('')
})
