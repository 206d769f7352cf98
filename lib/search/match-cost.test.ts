import { describe, expect, test } from 'vitest'
import type { LogicalName, OperatorName } from '@/lib/definitions/operators'
import type { Kind } from '@/lib/kinds/kind'
import { howToNarrow, realCost, weighConditions } from './match-records'
import type { FieldRef, Resolved } from './resolved'

const field = (name: string, kind: Kind = 'text', indexed = false): FieldRef => ({
  ...{ name, column: name, path: [], kind, nullable: true, indexed },
})
const test_ = (operator: OperatorName, kind: Kind = 'text', values = 1): Resolved => ({
  ...{ type: 'test', field: field('name', kind), operator, orNull: false },
  values: Array.from({ length: values }, () => ({ type: 'text', text: 'x' }) as const),
})
const logic = (type: LogicalName, count: number, of = test_('icontains')): Resolved => ({
  type,
  of: Array.from({ length: count }, () => of),
})

describe('conditions weigh', () => {
  test.each([
    ['nothing', [], 0, 0],
    ['a number', [test_('eq', 'integer')], 1, 1],
    ['a case-insensitive pattern', [test_('icontains')], 1, 150],
    ['a pattern', [test_('starts')], 1, 20],
    ['a range of texts', [test_('between')], 1, 30],
    ['JSON', [test_('eq', 'json')], 1, 20],
    ['a long list', [test_('in', 'integer', 500)], 1, 11],
    ['all of an "or"', [logic('or', 4)], 4, 600],
    ['little more than one of an "and"', [logic('and', 11)], 11, 300],
    ['the same beside each other', [logic('not', 1), test_('eq', 'integer')], 2, 150.1],
  ])('%s', (_, conditions, tests, weight) => {
    const weighed = weighConditions(conditions as Resolved[])
    expect(weighed.tests).toBe(tests)
    expect(weighed.weight).toBeCloseTo(weight)
  })
})

describe('the real cost', () => {
  test('is the planned one without conditions', () => {
    expect(realCost(3150, { tests: 0, weight: 0 })).toBe(3150)
  })

  test('of 400 patterns on 135,000 records is far beyond ten seconds, of one it is not', () => {
    expect(realCost(138_150, weighConditions([logic('or', 400)]))).toBeGreaterThan(15_000_000)
    expect(realCost(3_490, weighConditions([logic('or', 1)]))).toBeLessThan(20_000)
  })
})

describe('how to narrow a search', () => {
  test('names what there is most of', () => {
    const where = [logic('or', 400), test_('eq')]
    expect(howToNarrow({ where, count: 'exact' })).toBe(
      'To narrow it: use fewer conditions with patterns (400 times icontains on "name"); ask for "count": "estimated" or "none"; add a condition on a field with an index',
    )
  })

  test('names the sort, the page and the references', () => {
    const sort = [{ field: field('city'), direction: 'asc' as const }]
    expect(howToNarrow({ where: [], sort, page: 5000, size: 10 })).toContain(
      'sort by a field with an index instead of "city"; continue with a cursor instead of a page number',
    )
  })
})
