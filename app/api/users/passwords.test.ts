import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { verifyPassword } from '@/lib/auth/password'
import { auditLog } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { call } from '@/lib/testing/request'
import * as activate from '../auth/activate-account/route'
import * as activation from './[userId]/activation-email/route'
import * as init from './init/route'
import * as password from './me/password/route'
import * as me from './me/route'
import { ANN, activated, created, find, PASSWORD } from './testing/users'

const deps = freshDeps()

describe('the activation mail', () => {
  const send = (userId: string) =>
    call(deps, activation.POST, {
      method: 'POST',
      path: `/api/users/${userId}/activation-email`,
      params: { userId },
      as: 'ADMIN',
    })

  test('can be sent again, which voids the older link', async () => {
    const userId = await created()
    expect((await send(userId)).status).toBe(200)
    const [older, newer] = await readInbox(deps)
    const open = (token?: string) =>
      call(deps, activate.POST, {
        method: 'POST',
        path: '/api/auth/activate-account',
        body: { token },
      })
    expect((await open(older?.token)).status).toBe(400)
    expect((await open(newer?.token)).status).toBe(200)
    expect((await send(userId)).status).toBe(409)
  })

  test('holds a new password when the first was generated', async () => {
    const userId = await created({}, '?generatePassword=true')
    await send(userId)
    const [older, newer] = await readInbox(deps)
    const passwordIn = (text = '') => /Your password: (\S+)/.exec(text)?.[1] ?? ''
    const hash = (await find(ANN.email))?.passwordHash ?? ''
    expect(await verifyPassword(hash, passwordIn(older?.text))).toBe(false)
    expect(await verifyPassword(hash, passwordIn(newer?.text))).toBe(true)
  })
})

describe('a generated password', () => {
  test('opens nothing until it is changed', async () => {
    await created({ roles: ['ADMIN'] }, '?generatePassword=true')
    const [mail] = await readInbox(deps)
    const generated = /Your password: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const browser = new Browser(deps)
    await browser.call(activate.POST, {
      method: 'POST',
      path: '/api/auth/activate-account',
      body: { token: mail?.token },
    })
    expect((await browser.signIn(ANN.email, generated)).status).toBe(200)
    const open = () =>
      browser.call(init.POST, {
        method: 'POST',
        path: '/api/users/init',
        body: { ...ANN, email: 'b@example.com' },
      })
    expect(await open()).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('Change your password') },
    })
    const change = (newPassword: string) =>
      browser.call(password.PUT, {
        method: 'PUT',
        path: '/api/users/me/password',
        body: { currentPassword: generated, newPassword },
      })
    expect(await change(generated)).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'newPassword' }] },
    })
    const thief = browser.copy()
    expect((await change(PASSWORD)).status).toBe(200)
    expect((await open()).status).toBe(200)
    expect((await thief.call(me.GET, { path: '/api/users/me' })).status).toBe(401)
  })
})

describe('changing one’s own password', () => {
  test('twice at once changes it once', async () => {
    await activated()
    const browser = new Browser(deps)
    await browser.signIn(ANN.email, PASSWORD)
    const candidates = ['first horse battery', 'second horse battery']
    const change = (newPassword: string) =>
      browser.call(password.PUT, {
        method: 'PUT',
        path: '/api/users/me/password',
        body: { currentPassword: PASSWORD, newPassword },
      })
    const changes = await Promise.all(candidates.map(change))
    const done = changes.findIndex(({ status }) => status === 200)
    expect(changes.filter(({ status }) => status === 200)).toHaveLength(1)
    const hash = (await find(ANN.email))?.passwordHash ?? ''
    expect(await verifyPassword(hash, candidates[done] ?? '')).toBe(true)
  })

  test('needs the current one, and guesses are counted', async () => {
    await activated()
    const browser = new Browser(deps)
    await browser.signIn(ANN.email, PASSWORD)
    const guess = () =>
      browser.call(password.PUT, {
        method: 'PUT',
        path: '/api/users/me/password',
        body: { currentPassword: 'wrong', newPassword: 'another horse battery' },
      })
    for (let n = 0; n < 10; n++)
      expect(await guess()).toMatchObject({
        status: 400,
        body: { validations: [{ field: 'currentPassword' }] },
      })
    expect((await guess()).status).toBe(429)
    const failed = eq(auditLog.action, 'users.change-password-failed')
    expect(await deps.db.select().from(auditLog).where(failed)).toHaveLength(10)
  })
})
