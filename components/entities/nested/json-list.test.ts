import { expect, it } from 'vitest'
import { listOf, listText, wrongItems } from './json-list'

it.each([
  ['', { kind: 'text', items: [] }],
  ['[]', { kind: 'text', items: [] }],
  ['["a","1"]', { kind: 'text', items: ['a', '1'] }],
  ['[1,9007199254740993,1.10]', { kind: 'number', items: ['1', '9007199254740993', '1.10'] }],
])('%s fits into tags', (json, list) => {
  expect(listOf(json)).toEqual(list)
})

it.each([
  ['["a",1]'],
  ['[true]'],
  ['[null]'],
  ['[{}]'],
  ['["a","a"]'],
  ['["a,b"]'],
  ['[" a"]'],
  ['[""]'],
  ['{}'],
  ['['],
])('%s would lose something in tags', (json) => {
  expect(listOf(json)).toBeNull()
})

it('keeps the kind of its items and every digit', () => {
  expect(JSON.parse(listText({ kind: 'text', items: ['1', 'b'] }))).toEqual(['1', 'b'])
  const numbers = listText({ kind: 'number', items: ['9007199254740993', '1.10'] })
  expect(numbers.replace(/\s/g, '')).toBe('[9007199254740993,1.10]')
})

it.each(['abc', 'true', 'null', '"1"'])('can’t be saved with %s among numbers', (item) => {
  const list = { kind: 'number' as const, items: ['1', item] }
  expect(wrongItems(list)).toEqual([item])
  expect(() => JSON.parse(listText(list))).toThrow()
})
