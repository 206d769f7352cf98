// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import EraseRecords from './erase-records'
import type { View } from './view-queries'

const VIEWS = ['Of Ann', 'Of all'].map((name, at) => ({ id: `v${at}`, entity: 'Order', name }))
const TOLD = { records: 1, others: 0, parts: [], effects: [], views: VIEWS }
const query = [{ field: 'name', operator: 'eq', value: 'Ann' }]

const VIEWER = { userId: 'u1', email: 'ann@example.org', roles: [], policies: [] }

let root: Root
let asked: string[]
beforeEach(() => {
  asked = []
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.includes('/erasure')) asked.push(path)
    return Response.json({ data: path.includes('/erasure') ? [TOLD] : [], meta: {} })
  })
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

test('saved views that are told go along when their box is checked', async () => {
  const view = { entity: 'Order', query, columns: [] } as unknown as View
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <ViewerProvider viewer={VIEWER as Parameters<typeof ViewerProvider>[0]['viewer']}>
          <EraseRecords view={view} onClose={() => {}} />
        </ViewerProvider>
      </QueryClientProvider>,
    ),
  )
  await vi.waitFor(() => expect(document.body.textContent).toContain('2 saved views'))
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[type=checkbox]')]
  for (const box of [boxes[0], boxes[1], boxes[1]]) await act(async () => box?.click())
  const typed = document.querySelector<HTMLInputElement>('input:not([type=checkbox])')
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(typed, 'Order')
  await act(async () => typed?.dispatchEvent(new Event('input', { bubbles: true })))
  await act(async () => document.querySelector('form')?.requestSubmit())
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[1]).toContain('expected=1&expectedOthers=0&views=v0')
})
