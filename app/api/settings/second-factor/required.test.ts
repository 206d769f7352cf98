import { beforeEach, describe, expect, test } from 'vitest'
import * as reset from '@/app/api/users/[userId]/second-factors/route'
import * as me from '@/app/api/users/me/route'
import * as totp from '@/app/api/users/me/second-factors/totp/route'
import {
  ANN,
  addTotp,
  addUser,
  confirm,
  deps,
  PASSWORD,
  send,
  signedIn,
  statusOf,
} from '@/app/api/users/me/testing/second-factor'
import * as users from '@/app/api/users/route'
import { auditLog } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { call } from '@/lib/testing/request'
import * as settings from './route'

const require = (roles: string[], as = ['ADMIN']) =>
  call(deps, settings.PUT, {
    method: 'PUT',
    path: '/api/settings/second-factor',
    body: { roles },
    as,
  })

const list = (browser: Browser) => send(browser, users.GET, 'GET')
const idOf = async (browser: Browser) => (await send(browser, me.GET, 'GET')).body.data[0].userId

beforeEach(() => addUser())

describe('roles that require a second factor', () => {
  test('are replaced as a whole, by administrators alone', async () => {
    expect((await require(['Admin', 'Clerk'])).body.data).toEqual([{ roles: ['Admin', 'Clerk'] }])
    expect((await require(['clerk'])).body.data).toEqual([{ roles: ['clerk'] }])
    expect((await require([])).body.data).toEqual([{ roles: [] }])
    expect((await require(['EDITOR'], ['EDITOR'])).status).toBe(403)
    expect((await require(['a', 'A'])).status).toBe(400)
    const logged = await deps.db.select().from(auditLog)
    expect(logged.map(({ details }) => details)).toContainEqual({
      before: ['Admin', 'Clerk'],
      after: ['clerk'],
    })
  })

  test('close an open session immediately, except for setting one up', async () => {
    const browser = await signedIn()
    expect((await list(browser)).status).toBe(200)
    await require(['admin'])
    expect(await list(browser)).toMatchObject({
      status: 403,
      body: { error: 'Set up a second factor first: your role requires one' },
    })
    expect(await browser.session()).toMatchObject({ user: { mustSetUpSecondFactor: true } })
    expect(await statusOf(browser)).toBe(200)
    expect((await send(browser, totp.POST, 'POST')).status).toBe(403)
    await addTotp(browser)
    expect((await list(browser)).status).toBe(200)
  })

  test('let a user who signs in set one up without the password again', async () => {
    await require(['ADMIN'])
    const browser = await signedIn()
    expect((await list(browser)).status).toBe(403)
    expect((await send(browser, totp.POST, 'POST')).status).toBe(201)
  })

  test('keep the last factor of their users', async () => {
    const browser = await signedIn()
    await addTotp(browser)
    await require(['ADMIN'])
    expect((await send(browser, totp.DELETE, 'DELETE')).status).toBe(409)
    await require([])
    expect((await send(browser, totp.DELETE, 'DELETE')).status).toBe(200)
  })

  test('do not concern other roles and API keys', async () => {
    await addUser('bob@example.com', { roles: ['VIEWER'] })
    const bob = await signedIn('bob@example.com')
    await require(['ADMIN'])
    expect(await bob.session()).toMatchObject({ user: { mustSetUpSecondFactor: false } })
    expect((await call(deps, users.GET, { path: '/api/users', as: 'ADMIN' })).status).toBe(200)
  })
})

describe('an administrator', () => {
  const resetOf = (userId: string, as: string | Browser = 'ADMIN') => {
    const request = { method: 'DELETE', path: '/api/users/x/second-factors', params: { userId } }
    return typeof as === 'string'
      ? call(deps, reset.DELETE, { ...request, as })
      : as.call(reset.DELETE, request)
  }

  test('resets the second factors of another user, whose sessions end', async () => {
    await addUser('bob@example.com', { roles: ['EDITOR'] })
    const bob = await signedIn('bob@example.com')
    await addTotp(bob)
    const userId = await idOf(bob)
    expect((await resetOf(userId, 'EDITOR')).status).toBe(403)
    expect((await resetOf(userId)).status).toBe(200)
    expect(await statusOf(bob)).toBe(401)
    expect((await new Browser(deps).signIn('bob@example.com', PASSWORD)).status).toBe(200)
    const logged = await deps.db.select().from(auditLog)
    expect(logged.at(-2)).toMatchObject({
      ...{ action: 'users.reset-second-factors', objectId: userId },
      details: { removed: ['totp', 'recovery-code'] },
    })
  })

  test('does not reset their own this way', async () => {
    const browser = await signedIn(ANN)
    await addTotp(browser)
    expect((await resetOf(await idOf(browser), browser)).status).toBe(403)
    expect((await confirm(browser)).status).toBe(200)
  })
})
