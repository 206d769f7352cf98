// @vitest-environment happy-dom
import { withNuqsTestingAdapter } from 'nuqs/adapters/testing'
import { act, type ComponentType, useMemo } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useListState } from '@/components/data-table/use-list-state'
import { useRowSelection } from '@/components/data-table/use-row-selection'
import type { ColumnDescription, EntityRecord } from '../types'
import CalendarDisplay from './calendar-display'
import CardsDisplay from './cards-display'
import type { DisplayProps } from './supported'

const column = (name: string, kind: string) =>
  ({ name, kind, label: null, declared: true, hidden: false, type: kind, rules: {} }) as never
const COLUMNS: ColumnDescription[] = [
  column('title', 'text'),
  column('day', 'date'),
  column('photo', 'text'),
]
const ROWS: EntityRecord[] = Array.from({ length: 20 }, (_, i) => ({
  persistenceId: String(i),
  title: `Talk ${i}`,
  day: i < 14 ? '2026-03-10' : '2026-03-31',
  photo: i === 0 ? '/api/images/files/hall.png' : 'https://elsewhere.example/a.png',
}))

let opened: string[] = []
let selected: ReadonlySet<string> = new Set()

function Shown({ of: Of }: { of: ComponentType<DisplayProps> }) {
  const list = useListState()
  const selection = useRowSelection(
    useMemo(() => ROWS.map(({ persistenceId }) => persistenceId), []),
  )
  selected = selection.ids
  return (
    <Of
      entity="Talk"
      columns={COLUMNS}
      related={[]}
      list={list}
      rows={ROWS}
      total={ROWS.length}
      loading={{ isPending: false, isFetching: false, error: null, refetch: () => {} }}
      selection={selection}
      onOpen={(id) => opened.push(id)}
      empty={null}
    />
  )
}

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  opened = []
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
})
afterEach(() => act(() => root.unmount()))

function show(of: ComponentType<DisplayProps>, searchParams = '') {
  const Adapter = withNuqsTestingAdapter({ searchParams, hasMemory: true })
  act(() =>
    root.render(
      <Adapter>
        <Shown of={of} />
      </Adapter>,
    ),
  )
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector) as HTMLElement
const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
const press = (key: string, options: KeyboardEventInit = {}) =>
  act(async () => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options })
    document.activeElement?.dispatchEvent(event)
  })

test('a day shows its first records and how many more there are', () => {
  show(CalendarDisplay, '?month=2026-03')
  const tenth = find('[data-day="2026-03-10"]')
  expect(tenth.getAttribute('aria-label')).toBe('Tuesday, March 10, 2026, 14 records')
  expect(tenth.textContent).toContain('Talk 0Talk 1and 12 more')
  expect(all('[role=gridcell]')).toHaveLength(42)
})

test('keys lead through days and months; the day is listed and opened', async () => {
  show(CalendarDisplay, '?month=2026-03')
  act(() => find('[data-day="2026-03-10"]').focus())
  await press('ArrowDown')
  expect(document.activeElement).toBe(find('[data-day="2026-03-17"]'))
  expect(all('[role=gridcell][tabindex="0"]')).toHaveLength(1)
  await press('PageDown')
  expect(find('h2').textContent).toBe('April 2026')
  expect(document.activeElement).toBe(find('[data-day="2026-04-17"]'))
  await press('PageUp')
  await press('ArrowUp')
  await press('Enter')
  const titles = all('[role=dialog] li').map((item) => item.textContent)
  expect(titles).toHaveLength(14)
  await act(async () => all('[role=dialog] li button')[3]?.click())
  expect(opened).toEqual(['3'])
})

test('cards are one Tab stop, move, select and open by keyboard', async () => {
  show(CardsDisplay)
  const cards = all('[role=option]')
  expect(cards.map(({ tabIndex }) => tabIndex).filter((index) => index === 0)).toHaveLength(1)
  act(() => cards[0]?.focus())
  await press('ArrowRight')
  await press('x')
  await press('ArrowRight', { shiftKey: true })
  expect([...selected]).toEqual(['1', '2'])
  await press('Escape')
  expect([...selected]).toEqual([])
  await press('o')
  expect(opened).toEqual(['2'])
})

test('cards load images of this system alone', () => {
  show(CardsDisplay)
  const images = all('[role=option] img').map((image) => image.getAttribute('src'))
  expect(images).toHaveLength(1)
  expect(images[0]).toMatch(/^\/api\/images\/files\/hall/)
})
