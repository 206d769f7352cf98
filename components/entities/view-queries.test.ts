import { expect, test } from 'vitest'
import { readListText } from '@/components/data-table/list-params'
import type { SavedView } from '@/lib/views/contract'
import { isChanged, paramsOf } from './view-queries'

const view = { id: 'v1', params: 'cols=b,a&sort=a:desc&page=3' } as SavedView

test('a view shows its parameters, whatever else is in the text', () => {
  expect(paramsOf(view)).toMatchObject({ savedView: 'v1', cols: ['b', 'a'], q: '' })
  expect(paramsOf(view)).not.toHaveProperty('page')
})

test.each([
  ['sort=a:desc&cols=b,a', false],
  ['sort=a:desc&cols=b,a&size=50', false],
  ['sort=a:desc&cols=a,b', true],
  ['sort=a:desc', true],
  ['sort=a:desc&cols=b,a&q=x', true],
])('a list that shows %s: changed %s', (text, changed) => {
  expect(isChanged({ ...readListText(text), page: 7, savedView: 'v1' }, view)).toBe(changed)
})
