import { beforeEach, expect } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as route from '../route'

export const deps = freshDeps()

export let admin: Record<string, string>
beforeEach(async () => {
  admin = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const properties = [
    { name: 'name', type: 'string' },
    { name: 'town', type: 'string' },
    { name: 'number', type: 'integer' },
  ]
  await installTestEntity(deps, {
    entity: { name: 'Customer', history: true, events: true },
    schema: { properties },
  })
})

export type Sent = { body?: unknown; id?: string; query?: string }

/** As the administrator. */
export const send = (handler: Handler, method: string, { body, id, query = '' }: Sent = {}) =>
  call(deps, handler, {
    ...{ method, path: `/api/entities/Customer/x?${query}`, body, headers: admin },
    params: { entityName: 'Customer', ...(id ? { id } : {}) },
  })

export const done = async (...of: Parameters<typeof send>) => {
  const response = await send(...of)
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

export const named = (value: string) => ({
  query: [{ field: 'name', operator: 'contains', value }],
})
export const erase = (body: object, query = '') => send(route.POST, 'POST', { body, query })
