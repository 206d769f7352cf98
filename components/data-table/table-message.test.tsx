import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ApiError } from '@/lib/http/client'
import type { Condition } from './filter/condition'
import { TableMessage } from './table-message'
import type { ListState } from './use-list-state'

const refusedAt = (field: string, filter: Condition[], sort: ListState['sort']) => {
  const error = new ApiError(400, 'refused', [{ field, error: 'Unknown field "nope"' }])
  const list = { filter, sort, filtered: filter.length > 0, page: 1 } as unknown as ListState
  const loading = { error, refetch: () => {} } as never
  return renderToStaticMarkup(<TableMessage list={list} loading={loading} empty={null} />)
}

test('a refused sort is named and can be reset', () => {
  const markup = refusedAt('sort.0.field', [], [{ field: 'nope', order: 'asc' }] as never)
  expect(markup).toContain('The sort can’t be used')
  expect(markup).toContain('Reset the sort')
  expect(markup).not.toContain('filter')
})

test('a refused condition is named as one', () => {
  const filter = [{ field: 'nope', operator: 'eq', value: 1 }] as Condition[]
  const markup = refusedAt('query.0.field', filter, [])
  expect(markup).toContain('A condition can’t be used')
  expect(markup).not.toContain('Reset the sort')
})
