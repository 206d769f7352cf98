// @vitest-environment happy-dom
import { type UrlUpdateEvent, withNuqsTestingAdapter } from 'nuqs/adapters/testing'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { usePanel } from './use-panel'

let panel: ReturnType<typeof usePanel>
function Panel() {
  panel = usePanel()
  return null
}

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  root = createRoot(document.createElement('div'))
})
afterEach(() => act(() => root.unmount()))

test('what is edited is the record that is shown, also while the address is of another one', async () => {
  const updates: UrlUpdateEvent[] = []
  // Without memory the address stays that of the first record, as until the router has followed.
  const Adapter = withNuqsTestingAdapter({
    searchParams: '?record=1',
    onUrlUpdate: (update) => updates.push(update),
  })
  await act(() =>
    root.render(
      <Adapter>
        <Panel />
      </Adapter>,
    ),
  )
  await act(async () => {
    await panel.open('2')
  })
  expect(panel.record).toBe('2')
  await act(async () => {
    await panel.edit(true)
  })
  expect(updates.at(-1)?.queryString).toBe('?record=2&edit=true')
})
