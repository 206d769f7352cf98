import { expect, test } from 'vitest'
import { indexText, shapeText } from './shape-text'

test('a shape of searches is said in words, without values', () => {
  const city = { field: 'city', operator: 'eq' } as const
  const name = { field: 'name', operator: 'icontains' } as const
  expect(
    shapeText({
      where: [city, { operator: 'or', of: [name, { field: 'zip', operator: 'isnull' }] }],
      sort: [{ field: 'name', direction: 'desc' }],
      count: 'exact',
    }),
  ).toBe('city is … and (name contains … or zip is empty), sorted by name (descending)')
  expect(shapeText({ where: [], sort: [], groupBy: ['city'], count: 'none' })).toBe(
    'All records, grouped by city',
  )
  expect(
    shapeText({
      where: [{ operator: 'not', of: [city, name] }],
      sort: [],
      count: 'none',
      deep: true,
    }),
  ).toBe('not (city is … and name contains …), a page far behind the first')
})

test('so is an index', () => {
  const part = (field: string, use: 'equal' | 'sort') => ({ field, use, direction: 'asc' as const })
  expect(indexText({ kind: 'btree', fields: [part('city', 'equal'), part('name', 'sort')] })).toBe(
    'city, then name in order',
  )
  expect(indexText({ kind: 'trigram', fields: [part('name', 'equal')] })).toBe('parts of name')
})
