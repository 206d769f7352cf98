// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import type { ServerCheck } from '@/lib/checks/contract'
import { ChecksCard } from './checks-card'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const CHECKS: ServerCheck[] = [
  { name: 'clock', title: 'Clock', status: 'ok', finding: 'Both agree.', action: null },
  { name: 'mail', title: 'Mail', status: 'warning', finding: 'None is sent.', action: 'Set it.' },
  { name: 'disk', title: 'Data folder', status: 'fault', finding: 'Full.', action: 'Make room.' },
]

let close = () => {}
afterEach(() => {
  close()
  vi.unstubAllGlobals()
})

test('the checks are made when they are asked for; what is to be done comes first', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    asked.push(String(input))
    return Response.json({ data: CHECKS, status: 200 })
  })
  const page = document.createElement('div')
  document.body.replaceChildren(page)
  const root = createRoot(page)
  close = () => act(() => root.unmount())
  act(() =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <ChecksCard />
      </QueryClientProvider>,
    ),
  )
  expect(asked).toEqual([])
  const button = page.querySelector('button') as HTMLButtonElement
  expect(button.textContent).toContain('Check now')
  await act(async () => {
    button.click()
    await vi.waitFor(() => expect(page.querySelectorAll('dt')).toHaveLength(3))
  })
  expect([...page.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
    'Data folder',
    'Mail',
    'Clock',
  ])
  expect(page.textContent).toMatch(/Full\.Make room\.Fault.*Warning.*OK/)
  expect(button.textContent).toContain('Check again')
})
