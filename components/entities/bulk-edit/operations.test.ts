import { expect, test } from 'vitest'
import { exactJsonText } from '@/lib/values/exact-json'
import type { ColumnDescription } from '../types'
import { editableColumns, type Operation, operationsOf, readChange, sourcesOf } from './operations'

const column = (
  kind: ColumnDescription['kind'],
  more: Partial<ColumnDescription> = {},
): ColumnDescription => ({
  ...{ name: kind, label: null, description: null, type: kind, kind, key: false },
  ...{ declared: true, hidden: false, operators: [], rules: {} },
  ...more,
})

const readText = (kind: ColumnDescription['kind'], operation: Operation, text: string) => {
  const read = readChange(column(kind), operation, text)
  return read && ('error' in read ? read.error : exactJsonText(read.value))
}

test.each([
  ['text', 'set', 'open', '"open"'],
  ['integer', 'set', '12', '12'],
  ['boolean', 'set', 'false', 'false'],
  ['object', 'set', '{"$a":1}', '{"$value":{"$a":1}}'],
  ['array', 'set', '[1]', '[1]'],
  ['decimal', 'increase', '1.50', '{"$increment":1.50}'],
  ['decimal', 'increase', '-.5', '{"$increment":-0.5}'],
  ['integer', 'multiply', '12345678901234567890', '{"$multiply":12345678901234567890}'],
  ['text', 'append', ' (old)', '{"$append":" (old)"}'],
  ['text', 'prepend', '12', '{"$prepend":"12"}'],
  ['array', 'append', '["a","b"]', '{"$append":["a","b"]}'],
  ['array', 'remove', '[1.10]', '{"$remove":[1.10]}'],
  ['date', 'now', '', '{"$now":true}'],
  ['text', 'clear', '', '{"$unset":true}'],
  ['text', 'copy', 'name', '{"$field":"name"}'],
] as const)('%s: %s “%s” is %s', (kind, operation, text, set) => {
  expect(readText(kind, operation, text)).toBe(set)
})

test.each([
  ['text', 'set', ''],
  ['text', 'set', '  '],
  ['integer', 'increase', '-'],
  ['array', 'append', '[]'],
  ['text', 'copy', ''],
] as const)('%s: %s “%s” is not complete', (kind, operation, text) => {
  expect(readText(kind, operation, text)).toBeNull()
})

test.each([
  ['integer', 'set', 'many', 'Enter a number'],
  ['integer', 'increase', 'many', 'Enter a number'],
  ['integer', 'increase', '1,000', 'Enter a number'],
] as const)('%s: %s “%s” is refused: %s', (kind, operation, text, reason) => {
  expect(readText(kind, operation, text)).toBe(reason)
})

test('each kind of field has its operations', () => {
  const offered = (one: ColumnDescription) => operationsOf(one, [one])
  expect(offered(column('decimal'))).toEqual(['set', 'increase', 'multiply', 'clear'])
  expect(offered(column('text', { rules: { required: true } }))).toEqual([
    'set',
    'append',
    'prepend',
  ])
  expect(offered(column('text', { rules: { enum: ['a'] } }))).toEqual(['set', 'clear'])
  expect(offered(column('array'))).toEqual(['set', 'append', 'prepend', 'remove', 'clear'])
  expect(offered(column('datetime'))).toEqual(['set', 'now', 'clear'])
  expect(offered(column('json', { declared: false }))).toEqual(['set', 'clear'])
})

test('a field takes over the values of others of its kind, JSON those of all', () => {
  const [price, cost, name, any] = [
    column('decimal', { name: 'price' }),
    column('decimal', { name: 'cost' }),
    column('text', { name: 'name' }),
    column('json', { name: 'any' }),
  ]
  const all = [price, cost, name, any]
  expect(sourcesOf(price, all)).toEqual([cost])
  expect(sourcesOf(any, all)).toEqual([price, cost, name])
  expect(operationsOf(price, all)).toContain('copy')
  expect(operationsOf(name, all)).not.toContain('copy')
})

test('keys and what the server sets can’t be edited', () => {
  const columns = [
    column('text', { name: 'id', key: true }),
    column('text', { name: 'CreatedBy' }),
    column('decimal', { name: 'sum', rules: { computed: 'a + b' } }),
    column('text', { name: 'owner', readOnlyFor: ['update'] }),
    column('text', { name: 'note' }),
  ]
  expect(editableColumns(columns).map(({ name }) => name)).toEqual(['note'])
})
