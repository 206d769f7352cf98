import { expect, test } from 'vitest'
import type { FaultGroup } from './definition-faults'
import { allowedText, examplesText, faultText } from './fault-words'

const group = (part: Partial<FaultGroup>): FaultGroup => ({
  ...{ entity: 'Account', rule: 'enum', field: 'tier', message: 'must be one of', total: 167 },
  ...{ keys: [], indexes: [], filter: null },
  ...part,
})

test.each<[Partial<FaultGroup>, string, string]>([
  [
    { value: 'enterprise', allowed: ['free', 'pro'] },
    '167 stored records have tier = enterprise',
    'allowed: free, pro',
  ],
  [{ value: '', allowed: ['free'], total: 1 }, '1 stored record has tier = ""', 'allowed: free'],
  [{ allowed: ['free', 'pro'] }, '167 stored records have another tier', 'allowed: free, pro'],
  [{ rule: 'max', field: 'age', allowed: 99 }, '167 stored records have age above 99', ''],
  [
    { rule: 'min', field: 'age', value: -1, allowed: 0 },
    '167 stored records have age = -1',
    'allowed: at least 0',
  ],
  [{ rule: 'required' }, '167 stored records have no tier', ''],
  [
    { entity: null, total: 10_000, rule: 'undeclared' },
    '10,000 records have the field tier, which is not declared',
    '',
  ],
  [
    { rule: 'reference', value: 9, allowed: 'Order' },
    '167 stored records have tier = 9',
    'not in Order',
  ],
  [{ rule: 'empty', field: null, message: 'too late', total: 5 }, '5 stored records: too late', ''],
])('%j is said in words', (part, text, allowed) => {
  expect([faultText(group(part)), allowedText(group(part))]).toEqual([text, allowed])
})

test('some of many values are named', () => {
  expect(examplesText(group({ examples: ['a', 2, true] }))).toBe('such as a, 2, true')
  expect(examplesText(group({}))).toBe('')
})
