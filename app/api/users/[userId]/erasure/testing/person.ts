import { eq } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'
import { users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { addUser, deps } from '../../../me/testing/second-factor'
import * as route from '../route'

export const EMAIL = 'Quillmark@Zephyr.example'
export const BOOK = { entityName: 'Book' }

/** Of the person with the email. */
export let id: string
export let admin: Record<string, string>

beforeEach(async () => {
  await addUser(EMAIL, { profile: { name: { first: 'Vexlprofil' } }, roles: ['ADMIN'] })
  id = one(await deps.db.select().from(users).where(eq(users.email, EMAIL))).id
  admin = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const properties = [{ name: 'title', type: 'string' }]
  await installTestEntity(deps, {
    entity: { name: 'Book', auditable: true, history: true, events: true },
    schema: { properties },
  })
})

type Sent = { body?: unknown; params?: Record<string, string>; query?: string }
export const asked = (handler: Handler, method: string, { query = '', ...sent }: Sent) => ({
  handler,
  request: { method, path: `/api/x?${query}`, ...sent },
})
export const by = async (headers: Record<string, string>, ...of: Parameters<typeof asked>) => {
  const { handler, request } = asked(...of)
  const response = await call(deps, handler, { ...request, headers })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

export const erase = (
  userId = id,
  body: object = { confirm: EMAIL },
  query = '',
  headers = admin,
) =>
  call(deps, route.POST, {
    ...{ method: 'POST', path: `/api/users/${userId}/erasure?${query}`, body, headers },
    params: { userId },
  })
