import { expect, it } from 'vitest'
import { parsePeek, peekText } from './use-panel'

it.each([
  { entity: 'Country', field: 'code', value: 'DE' },
  { entity: 'Country', field: 'a:b', value: 'x:y' },
  { entity: 'A\\', field: '\\:', value: '\\:' },
])('reads back the record over the record %#', (peek) => {
  expect(parsePeek(peekText(peek))).toEqual(peek)
})

it('writes plain names as they are', () => {
  expect(peekText({ entity: 'Country', field: 'code', value: 'DE' })).toBe('Country:code:DE')
  expect(parsePeek('nonsense')).toBeNull()
})
