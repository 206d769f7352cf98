import { expect, test } from 'vitest'
import type { Json } from '@/lib/values/json'
import { conditionTexts } from './deletion-conditions'

test('the conditions of a deletion are told in words', () => {
  const query: Json[] = [
    { field: 'tier', operator: 'eq', value: 'pro' },
    {
      operator: 'or',
      filters: [
        { field: 'age', operator: 'gt', value: 5 },
        { field: 'age', operator: 'isnull' },
      ],
    },
  ]
  const fields = [{ name: 'tier', label: 'Tier', kind: 'text' as const }]
  expect(conditionTexts({ query: query }, fields)).toEqual([
    'Tier is pro',
    '(age is greater than 5 or age is empty)',
  ])
  expect(conditionTexts({ query: [] })).toEqual(['All records'])
  expect(conditionTexts({ query: null })).toBeNull()
})
