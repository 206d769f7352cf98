import { describe, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import * as activation from './[userId]/activation-email/route'
import * as user from './[userId]/route'
import * as init from './init/route'
import { ANN, activated, create, created, PASSWORD, patch } from './testing/users'

const deps = freshDeps()

describe('creating a user', () => {
  test('a key gives no role that may do more than the key', async () => {
    for (const role of ['ADMIN', 'editor', 'VIEWER']) {
      const response = await create({ ...ANN, roles: ['x', role] }, '', ['users:manage'])
      expect(response.status).toBe(403)
      expect(response.body.error).toContain(role)
    }
    expect((await create({ ...ANN, roles: ['Clerk'] }, '', ['users:manage'])).status).toBe(200)
  })
})

describe('changing a user', () => {
  test.each([
    ['a password', { password: PASSWORD }],
    ['the same roles', { roles: ['ADMIN'] }],
    ['lesser roles', { roles: ['Clerk'] }],
    ['a status', { status: 'DISABLED' }],
    ['a profile', { profile: { a: 1 } }],
  ])('a key does not give %s to a user with more rights than the key', async (_, change) => {
    const userId = await activated({ roles: ['ADMIN'] })
    expect((await patch(userId, change, ['users:manage'])).status).toBe(403)
    const clerkId = await activated({ email: 'clerk@example.com', roles: ['Clerk'] })
    const allowed = 'roles' in change ? { roles: ['Porter'] } : change
    expect((await patch(clerkId, allowed, ['users:manage'])).status).toBe(200)
  })

  test('a key neither deletes nor invites again a user with more rights than the key', async () => {
    const userId = await created({ roles: ['ADMIN'] })
    const act = (handler: typeof user.DELETE, method: string, scopes?: string[]) =>
      call(deps, handler, {
        ...{ method, path: `/api/users/${userId}`, params: { userId }, as: 'ADMIN', scopes },
      })
    expect((await act(activation.POST, 'POST', ['users:manage'])).status).toBe(403)
    expect((await act(user.DELETE, 'DELETE', ['users:manage'])).status).toBe(403)
    expect((await act(activation.POST, 'POST')).status).toBe(200)
    expect((await act(user.DELETE, 'DELETE')).status).toBe(200)
  })
})

describe('the last administrator', () => {
  const request = (userId: string, method: 'PATCH' | 'DELETE', key: string, body?: unknown) =>
    call(deps, method === 'PATCH' ? user.PATCH : user.DELETE, {
      method,
      path: `/api/users/${userId}`,
      params: { userId },
      headers: { authorization: `Bearer ${key}` },
      body,
    })

  test.each([
    ['disabled', 'PATCH', { status: 'DISABLED' }],
    ['demoted', 'PATCH', { roles: ['EDITOR'] }],
    ['sent back', 'PATCH', { status: 'REQUIRED_ACTIVATION' }],
    ['deleted', 'DELETE', undefined],
  ] as const)('cannot be %s', async (_, method, body) => {
    const key = await testKey(deps, ['Admin'])
    const [admin] = await deps.db.select().from(users)
    const id = admin?.id ?? ''
    expect((await request(id, method, key, body)).status).toBe(409)
    expect(await deps.db.select().from(users)).toEqual([admin])
  })

  test('stays when two administrators demote each other concurrently', async () => {
    const keys = [await testKey(deps, ['ADMIN']), await testKey(deps, ['ADMIN'])]
    const [one, two] = await deps.db.select().from(users)
    const responses = await Promise.all([
      request(two?.id ?? '', 'PATCH', keys[0] ?? '', { roles: ['X'] }),
      request(one?.id ?? '', 'PATCH', keys[1] ?? '', { roles: ['X'] }),
    ])
    // The second is refused as the last one, or is no administrator any more when it is looked at.
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('may go when there is another', async () => {
    const key = await testKey(deps, ['ADMIN'])
    await testKey(deps, ['ADMIN'])
    const [one] = await deps.db.select().from(users)
    expect((await request(one?.id ?? '', 'DELETE', key)).status).toBe(200)
  })
})

describe('a request with a session', () => {
  const post = (headers: Record<string, string>) => async () => {
    await activated({ roles: ['ADMIN'] })
    const browser = new Browser(deps)
    await browser.signIn(ANN.email, PASSWORD)
    return browser.call(init.POST, {
      method: 'POST',
      path: '/api/users/init',
      body: { ...ANN, email: 'b@example.com' },
      headers,
    })
  }

  test.each([
    [200, { 'sec-fetch-site': 'same-origin' }],
    [403, { 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [403, { 'sec-fetch-site': 'none' }],
    [403, { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
  ])('%i with %j', async (status, headers) => {
    expect((await post(headers)()).status).toBe(status)
  })
})
