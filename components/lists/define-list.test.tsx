// @vitest-environment happy-dom
import { BookIcon } from 'lucide-react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { act, type ComponentProps, type ComponentType, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Column } from '@/components/data-table/column'
import { defineList, type Panel } from './define-list'

type Book = { id: string; title: string }

const BOOKS: Book[] = ['a', 'b', 'c'].map((id) => ({ id, title: `Book ${id}` }))

let rendered: string[] = []
let pushed: string[] = []
let refetch: (isFetching: boolean) => void = () => {}

const COLUMNS: Column<Book>[] = [
  {
    id: 'title',
    header: 'Title',
    opens: true,
    cell: ({ id, title }) => {
      rendered.push(id)
      return title
    },
  },
]

const actions = ({ title }: Book) => <button type="button">{`Lend ${title}`}</button>

function usePanel(): Panel<Book> {
  const [book, open] = useState<Book | null>(null)
  return { open, rowActions: actions, panel: book && <aside>{book.title}</aside> }
}

const listOf = (data: Book[]) => ({
  label: 'Books',
  layoutKey: 'test-books',
  useRows: () => {
    const [isFetching, setFetching] = useState(false)
    const [answer] = useState({ data, meta: {} })
    refetch = setFetching
    return { data: answer, isPending: false, isFetching, error: null, refetch: () => {} }
  },
  columns: COLUMNS,
  rowId: ({ id }: Book) => id,
  rowName: ({ title }: Book) => title,
  empty: { icon: BookIcon, title: 'No books yet', text: 'Buy one.' },
})

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
  pushed = []
})
afterEach(() => act(() => root.unmount()))

type Router = ComponentProps<typeof AppRouterContext>['value']
const router = {
  push: (href: string) => pushed.push(href),
  prefetch: () => {},
} as unknown as Router

/** The ids of the rows that were rendered by what `change` does. */
function renderedBy(change: () => void): string[] {
  rendered = []
  act(change)
  return rendered
}
const show = (List: ComponentType) =>
  renderedBy(() =>
    root.render(
      <AppRouterContext value={router}>
        <NuqsTestingAdapter>
          <List />
        </NuqsTestingAdapter>
      </AppRouterContext>,
    ),
  )
const click = (selector: string) =>
  renderedBy(() => document.querySelector<HTMLElement>(selector)?.click())

test('rows are rendered once: neither a panel nor another request renders them again', () => {
  expect(show(defineList<Book>({ ...listOf(BOOKS), usePanel }))).toEqual(['a', 'b', 'c'])
  expect(click('tbody tr:nth-child(2) td button')).toEqual([])
  expect(document.querySelector('aside')?.textContent).toBe('Book b')
  expect(renderedBy(() => refetch(true))).toEqual([])
  expect(document.querySelector('[aria-busy="true"]')).not.toBeNull()
})

test('what names a row opens it, and so does a click beside it', () => {
  show(defineList<Book>({ ...listOf(BOOKS), usePanel }))
  click('tbody tr:nth-child(3)')
  expect(document.querySelector('aside')?.textContent).toBe('Book c')
})

test('a row with a page of its own has a link to it and leads there', () => {
  show(defineList<Book>({ ...listOf(BOOKS), href: ({ id }) => `/books/${id}` }))
  const link = document.querySelector('tbody tr:nth-child(2) a')
  expect([link?.textContent, link?.getAttribute('href')]).toEqual(['Book b', '/books/b'])
  click('tbody tr:nth-child(3)')
  expect(pushed).toEqual(['/books/c'])
})

test('the heading of the page and an empty list offer the same actions', async () => {
  const List = defineList<Book>({
    ...listOf([]),
    page: { title: 'Library', description: 'All books.' },
    toolbar: { searchLabel: 'Search by title', filters: [] },
    usePanel: () => ({ actions: <button type="button">New book</button> }),
  })
  show(List)
  expect(document.querySelector('h1')?.textContent).toBe('Library')
  // What says that there is nothing is loaded when it is needed.
  await act(() => import('@/components/data-table/table-message'))
  expect(document.body.textContent).toContain('No books yet')
  const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent)
  expect(buttons.filter((text) => text === 'New book')).toHaveLength(2)
  expect(document.querySelector('input[type="search"]')?.getAttribute('aria-label')).toBe(
    'Search by title',
  )
})
