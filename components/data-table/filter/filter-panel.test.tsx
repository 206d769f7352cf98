// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import type { Condition } from './condition'
import type { FilterField } from './field'
import FilterPanel from './filter-panel'

const FIELDS: FilterField[] = [
  { name: 'title', label: 'Title', kind: 'text' },
  { name: 'pages', label: 'Pages', kind: 'integer' },
  { name: 'owner', label: 'Owner', kind: 'text', user: 'id' },
  { name: 'bought', label: 'Bought', kind: 'datetime' },
]
const VIEWER = { userId: 'u1', email: 'ann@example.org', roles: [], policies: [] }

let root: Root
let applied: Condition[] | null
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
  applied = null
})
afterEach(() => act(() => root.unmount()))

const open = (filter: Condition[], focusAt?: number) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <ViewerProvider viewer={VIEWER as Parameters<typeof ViewerProvider>[0]['viewer']}>
          <FilterPanel
            fields={FIELDS}
            filter={filter}
            focusAt={focusAt}
            onApply={(conditions) => {
              applied = conditions
            }}
          />
        </ViewerProvider>
      </QueryClientProvider>,
    ),
  )

const control = (label: string, at = 0) =>
  document.querySelectorAll<HTMLInputElement>(`[aria-label="${label}"]`)[at] as HTMLInputElement

const type = (input: HTMLInputElement, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })

const apply = () =>
  act(async () => {
    document
      .querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })

const paste = (target: Element, text: string) =>
  act(async () => {
    const event = new Event('paste', { bubbles: true, cancelable: true })
    Object.assign(event, { clipboardData: { getData: () => text } })
    target.dispatchEvent(event)
  })

const is = (field: string, operator: string, value: unknown) => ({ field, operator, value })

test('conditions are pasted into the list of fields and into values', async () => {
  await open([])
  await paste(control('Field'), 'title:icontains:a,pages:gt:1')
  await paste(control('Value', 1), 'bought:gte:7 days ago')
  await apply()
  expect(applied).toEqual([
    is('title', 'icontains', 'a'),
    is('pages', 'gt', '1'),
    is('bought', 'gte', '$now(-7d)'),
  ])
})

test('a chip’s condition has the focus in its value', async () => {
  await open([is('title', 'eq', 'a'), is('pages', 'gt', 1)], 1)
  expect(document.activeElement).toBe(control('Value', 1))
})

test('what does not fit is not applied but said, tied to its control', async () => {
  await open([is('pages', 'gt', 1)])
  await type(control('Value'), 'many')
  await apply()
  expect(applied).toBeNull()
  const why = document.getElementById(control('Value').getAttribute('aria-describedby') ?? '')
  expect(why?.textContent).toContain('“many” is not a whole number')
  await type(control('Value'), '12')
  await apply()
  expect(applied).toEqual([is('pages', 'gt', '12')])
})

test('words stand for values, and stay as they were typed', async () => {
  await open([is('bought', 'lte', '$now(-2w)'), is('owner', 'eq', '$me')])
  expect([control('Value').value, control('Value', 1).value]).toEqual(['2 weeks ago', 'me'])
  await type(control('Value'), 'in 3 DAYS')
  await type(control('Value', 1), 'melissa')
  expect(control('Value').value).toBe('in 3 DAYS')
  await apply()
  expect(applied).toEqual([is('bought', 'lte', '$now(3d)'), is('owner', 'eq', 'melissa')])
})

test('words of a text search are changed like values', async () => {
  await open([{ operator: 'matches-text', value: 'red house' }], 0)
  expect(document.activeElement).toBe(control('Value'))
  await type(control('Value'), 'red roof')
  await apply()
  expect(applied).toEqual([{ operator: 'matches-text', value: 'red roof' }])
})

test('groups that hold nothing are left out', async () => {
  const inner = { operator: 'and' as const, filters: [] }
  await open([is('title', 'eq', 'a'), { operator: 'or', filters: [inner] }])
  await apply()
  expect(applied).toEqual([is('title', 'eq', 'a')])
})
