// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import { CreateKeyDialog } from './create-key-dialog'

const VIEWER = { userId: 'u1', email: 'ann@example.org', roles: [], policies: [] }
const ENTITIES = { data: [{ name: 'Airport' }], meta: {} }

let root: Root
let client: QueryClient
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.stubGlobal('fetch', async () => Response.json({ data: [], meta: {} }))
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(['entities'], ENTITIES)
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

const open = () =>
  act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <ViewerProvider viewer={VIEWER as Parameters<typeof ViewerProvider>[0]['viewer']}>
          <CreateKeyDialog onClose={() => {}} onCreated={() => {}} />
        </ViewerProvider>
      </QueryClientProvider>,
    ),
  )

const press = (element: Element | null | undefined) =>
  act(async () => {
    const target = element as HTMLElement
    target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    target.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
    target.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }))
    target.click()
  })

async function choose(label: string, option: string): Promise<void> {
  await press(document.querySelector(`[aria-label="${label}"]`))
  const options = [...document.querySelectorAll('[role="option"]')]
  await press(options.find((each) => each.textContent === option))
}

/** The last draft of a key that was sent. */
const sent = () => client.getMutationCache().getAll().at(-1)?.state.variables

test('a right that is chosen but not added is created with the key', async () => {
  await open()
  await choose('Entity', 'Airport')
  await choose('Action', 'Change')
  expect(document.body.textContent).toContain('The key also gets “Change Airport”')
  await act(async () => document.querySelector('form')?.requestSubmit())
  expect(sent()).toMatchObject({ scopes: ['Airport:update'] })
})

test('what nobody chose is no right of the key', async () => {
  await open()
  await act(async () => document.querySelector('form')?.requestSubmit())
  expect(sent()).toMatchObject({ scopes: [] })
})
