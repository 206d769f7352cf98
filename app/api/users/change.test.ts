import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { call } from '@/lib/testing/request'
import * as activate from '../auth/activate-account/route'
import * as sessions from './[userId]/sessions/route'
import * as me from './me/route'
import { ANN, activated, created, find, PASSWORD, patch } from './testing/users'

const deps = freshDeps()

describe('changing a user', () => {
  test.each([
    ['roles', { roles: ['VIEWER'] }],
    ['status', { status: 'DISABLED' }],
    ['password', { password: 'another horse battery' }],
  ])('a change of %s ends the sessions', async (_, body) => {
    const userId = await activated()
    const browser = new Browser(deps)
    await browser.signIn(ANN.email, PASSWORD)
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(200)
    expect(await patch(userId, body)).toMatchObject({ status: 200, body: { data: [{ userId }] } })
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(401)
  })

  test('sessions can be ended without another change, which is logged', async () => {
    const userId = await activated()
    const browser = new Browser(deps)
    await browser.signIn(ANN.email, PASSWORD)
    const end = (id: string, as: string) =>
      call(deps, sessions.DELETE, {
        method: 'DELETE',
        path: `/api/users/${id}/sessions`,
        params: { userId: id },
        as,
      })
    expect((await end(userId, 'EDITOR')).status).toBe(403)
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(200)
    expect(await end(userId, 'ADMIN')).toMatchObject({ status: 200, body: { data: [{ userId }] } })
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(401)
    const logged = await deps.db.select().from(auditLog)
    expect(logged.at(-1)).toMatchObject({ action: 'users.end-sessions', objectId: userId })
    await browser.signIn(ANN.email, PASSWORD)
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(200)
    expect((await end(crypto.randomUUID(), 'ADMIN')).status).toBe(404)
  })

  test('a change of the profile does not', async () => {
    const userId = await activated()
    const browser = new Browser(deps)
    await browser.signIn(ANN.email, PASSWORD)
    expect((await patch(userId, { profile: { a: 1 } })).body.data[0].profile).toEqual({ a: 1 })
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(200)
  })

  test('a password set by hand makes an account usable, and must be changed', async () => {
    const userId = await created({ password: null })
    const response = await patch(userId, { password: PASSWORD })
    expect(response.body.data[0]).toMatchObject({ status: 'ACTIVATED', mustChangePassword: true })
    expect((await new Browser(deps).signIn(ANN.email, PASSWORD)).status).toBe(200)
  })

  test('an account without a password cannot be activated by hand', async () => {
    const userId = await created({ password: null })
    expect((await patch(userId, { status: 'ACTIVATED' })).status).toBe(409)
  })

  test('disabling voids the links', async () => {
    const userId = await created()
    const [mail] = await readInbox(deps)
    await patch(userId, { status: 'DISABLED' })
    const response = await call(deps, activate.POST, {
      method: 'POST',
      path: '/api/auth/activate-account',
      body: { token: mail?.token },
    })
    expect(response.status).toBe(400)
    expect(await find(ANN.email)).toMatchObject({ status: 'DISABLED' })
  })

  test.each([[{}], [{ status: 'GONE' }], [{ email: 'new@example.com' }], [{ roles: [] }]])(
    '%j is refused',
    async (body) => {
      expect((await patch(await created(), body)).status).toBe(400)
    },
  )

  test.each(['missing', crypto.randomUUID()])('the user %s is not found', async (userId) => {
    expect((await patch(userId, { profile: {} })).status).toBe(404)
  })

  test('the log has the values before and after', async () => {
    const userId = await activated()
    await patch(userId, { roles: ['VIEWER'], profile: { secret: 'canary' } })
    const entries = await deps.db.select().from(auditLog).where(eq(auditLog.action, 'users.update'))
    expect(entries[0]?.details).toEqual({
      changed: ['roles', 'profile'],
      before: { roles: ['EDITOR'], status: 'ACTIVATED' },
      after: { roles: ['VIEWER'], status: 'ACTIVATED' },
    })
  })
})
