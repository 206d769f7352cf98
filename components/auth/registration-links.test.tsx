// @vitest-environment happy-dom
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfirmRegistrationForm } from './confirm-registration-form'
import { VoidRegistrationLink } from './void-registration-link'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
afterEach(() => void vi.unstubAllGlobals())

function show(shown: ReactNode): HTMLElement {
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  const router = { prefetch: () => {} } as never
  act(() => createRoot(box).render(<AppRouterContext value={router}>{shown}</AppRouterContext>))
  return box
}

async function refuse(status: number, refusal: object): Promise<HTMLElement> {
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status }))
  const box = show(<ConfirmRegistrationForm token="a token" />)
  await act(async () => {
    const event = new Event('submit', { bubbles: true, cancelable: true })
    box.querySelector('form')?.dispatchEvent(event)
  })
  return box
}

const linksOf = (box: HTMLElement) =>
  [...box.querySelectorAll('a')].map((link) => link.getAttribute('href'))

test('a link that is void leads to a new one, where there would be one', () => {
  const open = show(<VoidRegistrationLink isClosed={false} />)
  expect([open.textContent, linksOf(open)]).toEqual([
    expect.stringContaining('was used or has expired'),
    ['/register'],
  ])
  const closed = show(<VoidRegistrationLink isClosed />)
  expect([closed.textContent, linksOf(closed)]).toEqual([
    expect.stringContaining('made by administrators'),
    [],
  ])
})

test('the form leads to a new link only where the link is the fault', async () => {
  const validations = [{ field: 'token', error: 'This link was used or has expired' }]
  const used = await refuse(400, { error: 'This link was used', validations })
  expect(linksOf(used)).toEqual(['/register'])
  const taken = await refuse(409, { error: 'A user with this e-mail already exists' })
  expect([taken.textContent, linksOf(taken)]).toEqual([
    expect.stringContaining('already exists'),
    [],
  ])
})
