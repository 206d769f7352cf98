import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Entry, entriesOf, jsonFault, parseProfile, withEntries } from './profile-text'

test('the form shows every profile so that it comes back unchanged', () => {
  const profile = fc.dictionary(fc.string(), fc.jsonValue())
  fc.assert(
    fc.property(profile, (stored) => {
      const text = JSON.stringify(stored)
      const entries = entriesOf(text) as Entry[]
      expect(parseProfile(withEntries(entries))).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  ['{"a":1}', [['a', '1']]],
  ['{"a":"1"}', [['a', '"1"']]],
  ['{"a":"word"}', [['a', 'word']]],
  ['{"a":{"b":null}}', [['a', '{"b":null}']]],
  ['[1]', null],
  ['{', null],
])('%s is shown as %j', (text, entries) => {
  expect(entriesOf(text)).toEqual(entries)
})

test('says what is no profile', () => {
  expect(jsonFault('{"a":1}')).toBeUndefined()
  expect(jsonFault('[1]')).toBe('The profile must be a JSON object')
  expect(jsonFault('{')).toMatch(/^Not valid JSON/)
})
