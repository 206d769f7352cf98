// @vitest-environment happy-dom
import { withNuqsTestingAdapter } from 'nuqs/adapters/testing'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ListMemory, rememberedList, rememberList, useResumedList } from './list-memory'
import { type ListState, useListState } from './use-list-state'

let list: ListState
function List({ isBare }: { isBare: boolean }) {
  list = useListState()
  const { cols, resume } = list
  useResumedList('books', { isBare, cols, hasView: false, resume })
  return null
}

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  window.localStorage.clear()
  root = createRoot(document.createElement('div'))
})
afterEach(() => act(() => root.unmount()))

const arrive = (searchParams: string) => {
  const Adapter = withNuqsTestingAdapter({ searchParams, hasMemory: true })
  return act(() =>
    root.render(
      <Adapter>
        <ListMemory value="books">
          <List isBare={searchParams === ''} />
        </ListMemory>
      </Adapter>,
    ),
  )
}

const FILTER = [{ field: 'title', operator: 'eq', value: 'a' }]
const KEPT = 'sort=title:desc&size=25&cols=title,id'

test('an address without parameters shows what was shown last', async () => {
  rememberList('books', KEPT)
  await arrive('')
  expect(list).toMatchObject({
    sort: [{ field: 'title', direction: 'desc' }],
    size: 25,
    cols: ['title', 'id'],
  })
})

test('an address is the truth, but columns that it does not name come back', async () => {
  rememberList('books', KEPT)
  await arrive('?sort=id:asc')
  expect(list).toMatchObject({
    sort: [{ field: 'id', direction: 'asc' }],
    size: 50,
    cols: ['title', 'id'],
  })
  act(() => root.unmount())
  root = createRoot(document.createElement('div'))
  await arrive('?cols=id')
  expect(list.cols).toEqual(['id'])
})

test('what the user changes is remembered, arriving is not', async () => {
  await arrive('?q=a')
  expect(rememberedList('books')).toBeNull()
  await act(async () => list.setFilter(FILTER))
  expect(rememberedList('books')).toMatchObject({ filter: FILTER, q: 'a', sort: [] })
  await act(async () => list.setColumns(['id']))
  await act(async () => list.clear())
  expect(rememberedList('books')).toMatchObject({ filter: [], q: '', cols: ['id'] })
  await act(async () => list.setColumns(null))
  expect(rememberedList('books')).toBeNull()
  expect(list.cols).toBeNull()
})
