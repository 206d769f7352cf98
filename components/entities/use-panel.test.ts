import { expect, it } from 'vitest'
import { type Peek, parsePeek, peekText } from './use-panel'

it.each<Peek>([
  { entity: 'Country', values: { code: 'DE' } },
  { entity: 'City', values: { name: 'Bonn', country: 'DE' } },
  { entity: 'Country', values: { 'a:b': 'x:y' } },
  { entity: 'Country', values: { code: '', other: 'a' } },
  { entity: 'Country', values: { code: 'a', other: '' } },
  { entity: 'A\\', values: { '\\:': '\\:' } },
])('reads back the record over the record %#', (peek) => {
  expect(parsePeek(peekText(peek))).toEqual(peek)
})

it('writes plain names as they are', () => {
  expect(peekText({ entity: 'Country', values: { code: 'DE' } })).toBe('Country:code:DE')
})

it.each(['', 'nonsense', 'Country:code', 'City:name:Bonn:country'])(
  '%j names no record',
  (text) => {
    expect(parsePeek(text)).toBeNull()
  },
)
