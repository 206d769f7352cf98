import { expect, test } from 'vitest'
import { listQuery } from './list-query'

const params = { page: 3, size: 25, sort: [], filter: [], cols: null, q: '' }
const books = listQuery('Book', {
  searchIn: ['title', 'author'],
  order: { field: 'title', direction: 'asc' },
})

test('the order of the list holds until the address names another one', () => {
  expect(books.search(params)).toEqual({
    query: [],
    sort: [{ field: 'title', direction: 'asc' }],
    pagination: { page: 2, size: 25 },
  })
  const sort = [{ field: 'author', direction: 'desc' as const }]
  expect(books.search({ ...params, sort }).sort).toEqual(sort)
})

test('conditions that always hold are added to the filter and to plain search', () => {
  const own = { field: 'shelf', operator: 'eq', value: 4 }
  const filter = [{ field: 'year', operator: 'gt', value: 1990 }]
  expect(books.search({ ...params, filter, q: ' sea ' }, [own]).query).toEqual([
    own,
    filter[0],
    {
      operator: 'or',
      filters: [
        { field: 'title', operator: 'icontains', value: 'sea' },
        { field: 'author', operator: 'icontains', value: 'sea' },
      ],
    },
  ])
})
