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
  { id: 'id', header: 'ID', cell: idOf },
]
const STICKY = COLUMNS.map((column) => ({ ...column, sticky: column.id === 'title' }))
const list = { cols: null, sort: [] as unknown, filter: [] as unknown, q: '' } as ListState

type Props = {
  sticky?: boolean
  isFetching?: boolean
  cols?: string[] | null
  onOpen?: (book: Book) => void
}

/** As pages use it: handlers, the state of the list and that of the query are new in each render. */
function Books({ sticky = false, isFetching = false, cols = null, onOpen = () => {} }: Props) {
  const selection = useRowSelection(useMemo(() => BOOKS.map(idOf), []))
  return (
    <DataTable
      label="Books"
      layoutKey="test"
      columns={sticky ? STICKY : COLUMNS}
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

test('a sticky column stays in sight, and no other', () => {
  render(<Books sticky />)
  const sticky = [...document.querySelectorAll('th.sticky.left-0, td.sticky.left-0')]
  expect(sticky.map(({ tagName }) => tagName)).toEqual(['TH', 'TD', 'TD', 'TD', 'TD'])
  expect(sticky.map(({ textContent }) => textContent)).toContain('Book a')
  render(<Books />)
  expect(document.querySelectorAll('th.sticky.left-0, td.sticky.left-0')).toHaveLength(0)
})

test('a row that was not drawn again does what the page does now', () => {
  const opened: string[] = []
  render(<Books onOpen={() => opened.push('before')} />)
  render(<Books onOpen={({ id }) => opened.push(id)} />)
  press(2, 'Enter')
  expect(opened).toEqual(['c'])
})

test('Tab stops once, wherever the focus was', () => {
  render(<Books />)
  const stops = () =>
    [...document.querySelectorAll<HTMLElement>('table *')].filter(({ tabIndex }) => tabIndex >= 0)
  expect(stops()).toEqual([rowAt(0)])
  press(0, 'ArrowDown')
  expect(stops()).toEqual([rowAt(1)])
})

/** Presses keys where the focus is; returns what has it then, as its place in the table. */
function pressed(...keys: string[]): string {
  for (const key of keys)
    act(() => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })
  const row = document.activeElement?.closest('tr')
  const cell = document.activeElement?.closest('td,th')
  return `${row?.rowIndex}.${cell ? [...(row?.children ?? [])].indexOf(cell) : ''}`
}

test('arrows lead through rows, cells and headings', () => {
  render(<Books />)
  rowAt(1).focus()
  expect(pressed('j')).toBe('3.')
  expect(pressed('k', 'k')).toBe('1.')
  expect(pressed('ArrowRight')).toBe('1.0')
  expect(pressed('ArrowRight', 'ArrowRight', 'ArrowRight')).toBe('1.2')
  expect(pressed('ArrowDown')).toBe('2.2')
  expect(pressed('Home', 'ArrowLeft')).toBe('2.')
  expect(pressed('ArrowUp', 'ArrowUp')).toBe('0.0')
  expect(pressed('ArrowRight')).toBe('0.1')
  expect(document.activeElement?.tagName).toBe('BUTTON')
  expect(pressed('ArrowDown')).toBe('1.')
  expect(pressed('End')).toBe('4.')
})

test('letters open and select; Escape selects nothing', () => {
  const opened: string[] = []
  render(<Books onOpen={({ id }) => opened.push(id)} />)
  rowAt(0).focus()
  pressed('x', 'j', 'x', 'o')
  expect(opened).toEqual(['b'])
  expect(selected()).toEqual([true, true, false, false])
  pressed('Escape')
  expect(selected()).toEqual([false, false, false, false])
})

/** What a copy from the element with the focus puts on the clipboard. */
function copied(): string | undefined {
  const event = Object.assign(new Event('copy', { bubbles: true, cancelable: true }), {
    clipboardData: { setData: (_: string, text: string) => (result = text) },
  })
  let result: string | undefined
  act(() => {
    document.activeElement?.dispatchEvent(event)
  })
  return result
}

test('the selected rows are copied, else the cell or row with the focus', () => {
  render(<Books />)
  rowAt(2).focus()
  expect(copied()).toBe('Book c\tc')
  pressed('ArrowRight', 'ArrowRight')
  expect(copied()).toBe('Book c')
  clickBox(0)
  clickBox(3)
  expect(copied()).toBe('Book a\ta\nBook d\td')
})
