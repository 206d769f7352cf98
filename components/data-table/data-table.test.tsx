// @vitest-environment happy-dom
import { act, type ReactNode, useMemo } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Column } from './column'
import { DataTable } from './data-table'
import type { ListState } from './use-list-state'
import { useRowSelection } from './use-row-selection'

type Book = { id: string; title: string }

const BOOKS: Book[] = ['a', 'b', 'c', 'd'].map((id) => ({ id, title: `Book ${id}` }))
const idOf = ({ id }: Book) => id

let drawn: string[] = []
const COLUMNS: Column<Book>[] = [
  {
    id: 'title',
    header: 'Title',
    cell: ({ id, title }) => {
      drawn.push(id)
      return title
    },
  },
  { id: 'id', header: 'Id', cell: idOf },
]
const list = { cols: null, sort: [] as unknown, filter: [] as unknown, q: '' } as ListState

type Props = { isFetching?: boolean; cols?: string[] | null; onOpen?: (book: Book) => void }

/** As pages use it: handlers, the state of the list and that of the query are new in each render. */
function Books({ isFetching = false, cols = null, onOpen = () => {} }: Props) {
  const selection = useRowSelection(useMemo(() => BOOKS.map(idOf), []))
  return (
    <DataTable
      label="Books"
      layoutKey="test"
      columns={COLUMNS}
      rows={BOOKS}
      rowId={idOf}
      list={{ ...list, cols }}
      loading={{ isPending: false, isFetching, error: null, refetch: () => {} }}
      selection={selection}
      onOpen={(book) => onOpen(book)}
      empty={null}
    />
  )
}

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
})
afterEach(() => act(() => root.unmount()))

/** Which rows were drawn by what `change` does. */
function drawnBy(change: () => void): string[] {
  drawn = []
  act(change)
  return drawn
}
const render = (node: ReactNode) => drawnBy(() => root.render(node))
const rowAt = (index: number) => document.querySelectorAll('tbody tr')[index] as HTMLElement
const press = (index: number, key: string, shiftKey = false) =>
  drawnBy(() => {
    rowAt(index).focus()
    rowAt(index).dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }))
  })
/** Clicks the box of a row, or that of the page (-1). */
const clickBox = (index: number, shiftKey = false) =>
  drawnBy(() =>
    document
      .querySelectorAll('input')
      [index + 1]?.dispatchEvent(new MouseEvent('click', { shiftKey, bubbles: true })),
  )
const selected = () =>
  [...document.querySelectorAll<HTMLInputElement>('tbody input')].map(({ checked }) => checked)

test('rows are drawn once, however often the page around them is', () => {
  expect(render(<Books />)).toEqual(['a', 'b', 'c', 'd'])
  expect(render(<Books isFetching />)).toEqual([])
  expect(render(<Books />)).toEqual([])
})

test('selecting and focusing rows draws these rows alone', () => {
  render(<Books />)
  expect(press(0, ' ')).toEqual(['a'])
  expect(press(0, 'ArrowDown', true)).toEqual(['a', 'b'])
  expect(selected()).toEqual([true, true, false, false])
  expect(press(1, 'ArrowDown', true)).toEqual(['b', 'c'])
  expect(selected()).toEqual([true, true, true, false])
  expect(press(2, 'ArrowUp', true)).toEqual(['b', 'c'])
  expect(selected()).toEqual([true, true, false, false])
})

test('the box of a row draws this row alone, whatever else is selected', () => {
  render(<Books />)
  expect(clickBox(2)).toEqual(['c'])
  expect(clickBox(0)).toEqual(['a'])
  // With Shift the focus moves too: from the first row, where Tab led until now.
  expect(clickBox(3, true)).toEqual(['a', 'b', 'd'])
  expect(selected()).toEqual([true, true, true, true])
  expect(clickBox(2)).toEqual(['c'])
})

test('the box of the page draws the rows that it changes', () => {
  render(<Books />)
  clickBox(1)
  expect(clickBox(-1)).toEqual(['a', 'c', 'd'])
  expect(clickBox(-1)).toEqual(['a', 'b', 'c', 'd'])
  expect(selected()).toEqual([false, false, false, false])
})

test('rows are drawn again with other columns', () => {
  render(<Books />)
  expect(render(<Books cols={['title']} />)).toEqual(['a', 'b', 'c', 'd'])
  expect(document.querySelectorAll('tbody tr:first-child td')).toHaveLength(2)
})

test('a row that was not drawn again does what the page does now', () => {
  const opened: string[] = []
  render(<Books onOpen={() => opened.push('before')} />)
  render(<Books onOpen={({ id }) => opened.push(id)} />)
  press(2, 'Enter')
  expect(opened).toEqual(['c'])
})
