// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import type { PolicyRule } from '@/lib/auth/rights'
import { type RecordRights, useRecordRights } from './record-rights'
import type { ColumnDescription, EntityRecord } from './types'

const COLUMNS = [
  { name: 'id', key: true, declared: true, kind: 'integer', rules: {} },
  { name: 'note', key: false, declared: true, kind: 'text', rules: {} },
] as unknown as ColumnDescription[]
const RECORD = { persistenceId: '1', id: 1, note: 'one' } as unknown as EntityRecord
const QUERY = [{ field: 'id', operator: 'eq', value: 1 }]

let root: Root
let rights: RecordRights
let asked: { method: string; body: object }[]
beforeEach(() => {
  asked = []
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.stubGlobal('fetch', async (_: string, { method, body }: { method: string; body: string }) => {
    asked.push({ method, body: JSON.parse(body) })
    return Response.json({ data: [{ effected: method === 'PATCH' ? 1 : 0 }], meta: {} })
  })
  root = createRoot(document.body)
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

function Shown() {
  const input = { entity: 'Order', columns: COLUMNS, query: QUERY as never, record: RECORD }
  rights = useRecordRights({ ...input, readOnly: false })
  return <p>{rights.remove.why}</p>
}

async function show(where?: unknown[]): Promise<void> {
  const policy: PolicyRule = { entities: ['order'], actions: ['*'], allow: true }
  const policies = [{ ...policy, ...(where ? { where } : {}) }]
  const viewer = { userId: 'u1', email: 'ann@example.org', roles: ['Clerk'], policies }
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <ViewerProvider viewer={viewer as Parameters<typeof ViewerProvider>[0]['viewer']}>
          <Shown />
        </ViewerProvider>
      </QueryClientProvider>,
    ),
  )
}

test('what depends on the record is asked about it, and refused with a reason', async () => {
  await show([true])
  await vi.waitFor(() => expect(rights.remove.why).toMatch(/delete this record/))
  expect(rights.edit).toEqual({ isOffered: true, why: null })
  const selection = { entity: 'Order', query: QUERY }
  expect(asked).toEqual([
    { method: 'PATCH', body: { ...selection, set: { note: 'one' } } },
    { method: 'DELETE', body: selection },
  ])
})

test('what does not depend on it is not asked', async () => {
  await show()
  expect(rights.remove).toEqual({ isOffered: true, why: null })
  expect(asked).toEqual([])
})
