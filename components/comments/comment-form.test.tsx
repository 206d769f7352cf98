// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import { CommentForm } from './comment-form'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const viewer = { userId: 'ann', email: 'ann@example.com', roles: [], policies: [] }
const PEOPLE = ['ann@example.com', 'bob@example.com', 'cara@example.com']

let sent: string[] = []
let fault: Error | null = null
let close = () => {}

function Form() {
  const box = useRef<HTMLTextAreaElement>(null)
  return (
    <CommentForm
      {...{
        box,
        form: 'test',
        what: 'It is not sent yet.',
        label: 'New comment',
        action: 'Comment',
      }}
      commenters={PEOPLE}
      send={async (text) => {
        if (fault) throw fault
        sent.push(text)
      }}
    />
  )
}

beforeEach(() => {
  localStorage.clear()
  sent = []
  fault = null
})
afterEach(() => close())

function open() {
  const page = document.createElement('div')
  document.body.replaceChildren(page)
  const root = createRoot(page)
  act(() =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <ViewerProvider viewer={viewer}>
          <Form />
        </ViewerProvider>
      </QueryClientProvider>,
    ),
  )
  close = () => act(() => root.unmount())
  const box = page.querySelector('textarea') as HTMLTextAreaElement
  const type = (text: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box, text)
      box.setSelectionRange(text.length, text.length)
      box.dispatchEvent(new Event('input', { bubbles: true }))
    })
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(async () => {
      box.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
      )
    })
  const offered = () => [...page.querySelectorAll('[role=option]')].map((one) => one.textContent)
  const active = () => {
    const id = box.getAttribute('aria-activedescendant')
    return id === null ? null : document.getElementById(id)?.textContent
  }
  return { page, box, type, press, offered, active }
}

test('people are offered after @ but oneself, chosen by keys, and not offered again after Escape', async () => {
  const { box, type, press, offered, active } = open()
  await type('Ask')
  expect([offered(), active()]).toEqual([[], null])
  await type('Ask @')
  expect(offered()).toEqual(['bob@example.com', 'cara@example.com'])
  expect(active()).toBe('bob@example.com')
  await press('ArrowUp')
  expect(active()).toBe('cara@example.com')
  await press('ArrowDown')
  await press('ArrowDown')
  await press('Enter')
  expect(box.value).toBe('Ask @cara@example.com ')
  expect([offered(), sent]).toEqual([[], []])
  await type('Ask @B')
  expect(offered()).toEqual(['bob@example.com'])
  await press('Escape')
  expect(offered()).toEqual([])
  await press('Enter', { ctrlKey: true })
  expect(sent).toEqual(['Ask @B'])
  expect(box.value).toBe('')
})

test('what is refused stays, with the reason, and blanks are not sent', async () => {
  const { page, box, type, press } = open()
  await type('  ')
  await press('Enter', { ctrlKey: true })
  fault = new Error('A record has at most 1,000 comments; delete one')
  await type('One more')
  await press('Enter', { metaKey: true })
  await act(() =>
    vi.waitFor(() => {
      expect(page.querySelector('[role=alert]')?.textContent).toContain('at most 1,000')
    }),
  )
  expect([box.value, sent]).toEqual(['One more', []])
})

test('an unsent text is there again', async () => {
  await open().type('Not sent yet')
  close()
  const { page, box, press } = open()
  expect(box.value).toBe('Not sent yet')
  expect(page.querySelector('[role=status]')?.textContent).toContain('restored')
  await press('Enter', { ctrlKey: true })
  expect(sent).toEqual(['Not sent yet'])
  close()
  expect(open().box.value).toBe('')
})
