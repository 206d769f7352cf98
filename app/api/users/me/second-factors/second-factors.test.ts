import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  auditLog,
  authChallenges,
  recoveryCodes,
  sessions,
  totpFactors,
  users,
} from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import * as password from '../password/route'
import * as me from '../route'
import {
  ANN,
  addTotp,
  addUser,
  beginSignIn,
  codeOf,
  confirm,
  deps,
  nextCode,
  PASSWORD,
  send,
  signedIn,
  signInWith,
  statusOf,
} from '../testing/second-factor'
import * as recovery from './recovery-codes/route'
import * as factors from './route'
import * as confirmTotp from './totp/confirm/route'
import * as totp from './totp/route'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await addUser()
})
afterEach(() => void vi.useRealTimers())

const describeFactors = async (browser: Browser) =>
  (await send(browser, factors.GET, 'GET')).body.data[0]

describe('setting up an authenticator app', () => {
  test('needs the password again, and a right code', async () => {
    const browser = await signedIn()
    expect(await send(browser, totp.POST, 'POST')).toMatchObject({
      status: 403,
      body: { meta: { confirmation: 'required' } },
    })
    expect(await confirm(browser, { password: 'wrong horse' })).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'password' }] },
    })
    expect((await confirm(browser)).status).toBe(200)
    const started = await send(browser, totp.POST, 'POST')
    expect(started.body.data[0]).toMatchObject({
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Engine:ann%40example.com\?/),
    })
    const { setupId, secret } = started.body.data[0]
    const finish = (code: string) => send(browser, confirmTotp.POST, 'POST', { setupId, code })
    expect(await finish('000000')).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'code' }] },
    })
    expect(await describeFactors(browser)).toMatchObject({ totp: null })
    const added = await finish(codeOf(secret))
    expect(new Set(added.body.data[0].recoveryCodes).size).toBe(10)
    expect(await describeFactors(browser)).toMatchObject({
      ...{ required: false, totp: { lastUsedAt: null }, recoveryCodesLeft: 10 },
    })
    expect(await finish(codeOf(secret))).toMatchObject({ status: 400 })
  })

  test('keeps neither the secret nor the codes in clear', async () => {
    const { secret, recoveryCodes: codes } = await addTotp(await signedIn())
    const [kept] = await deps.db.select().from(totpFactors)
    const hashes = await deps.db.select().from(recoveryCodes)
    const logged = await deps.db.select().from(auditLog)
    const all = JSON.stringify([kept, hashes, logged])
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(all).not.toContain(text)
    expect(logged.map(({ action }) => action)).toContain('users.add-totp')
  })

  test('ends the sessions that a password alone began, and keeps this one', async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    await addTotp(here)
    expect(await statusOf(here)).toBe(200)
    expect(await statusOf(elsewhere)).toBe(401)
  })

  test('makes sessions invalid that a password alone began meanwhile', async () => {
    const browser = await signedIn()
    await addTotp(browser)
    expect(await statusOf(browser)).toBe(200)
    await deps.db.update(sessions).set({ strong: false })
    expect(await statusOf(browser)).toBe(401)
  })

  test('of several at the same time, one succeeds', async () => {
    const browser = await signedIn()
    await confirm(browser)
    const started = await Promise.all([1, 2, 3].map(() => send(browser, totp.POST, 'POST')))
    const finished = await Promise.all(
      started.map(({ body: { data } }) => {
        const { setupId, secret } = data[0]
        return send(browser, confirmTotp.POST, 'POST', { setupId, code: codeOf(secret) })
      }),
    )
    expect(finished.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await send(browser, totp.POST, 'POST')).status).toBe(409)
  })

  test('of another user can not be finished', async () => {
    await addUser('bob@example.com')
    const [ann, bob] = [await signedIn(), await signedIn('bob@example.com')]
    await confirm(ann)
    await confirm(bob)
    const { setupId, secret } = (await send(ann, totp.POST, 'POST')).body.data[0]
    const body = { setupId, code: codeOf(secret) }
    expect((await send(bob, confirmTotp.POST, 'POST', body)).status).toBe(400)
  })
})

describe('signing in with an authenticator app', () => {
  test('takes two steps, and a password alone gives no session', async () => {
    const { secret } = await addTotp(await signedIn())
    nextCode()
    const browser = new Browser(deps)
    const { ticket, methods } = await beginSignIn(browser)
    expect(methods).toEqual(['totp', 'recovery-code'])
    expect(await browser.session()).toEqual({})
    expect(await statusOf(browser)).toBe(401)
    const response = await browser.sendForm({ ticket, code: codeOf(secret) })
    expect(response.status).toBe(200)
    expect(await browser.session()).toMatchObject({ user: { email: ANN } })
    const [signIn] = (await deps.db.select().from(auditLog)).filter(
      ({ details }) => (details as { secondFactor?: string } | null)?.secondFactor,
    )
    expect(signIn).toMatchObject({ action: 'users.sign-in', details: { secondFactor: 'totp' } })
  })

  test('a code works once, and an earlier one not after it', async () => {
    const { secret } = await addTotp(await signedIn())
    const first = codeOf(secret)
    expect((await signInWith(first)).status).toBe(401)
    nextCode()
    const second = codeOf(secret)
    expect((await signInWith(second)).status).toBe(200)
    expect((await signInWith(second)).status).toBe(401)
    expect((await signInWith(first)).status).toBe(401)
  })

  test('a code of many callers at the same time signs one in', async () => {
    const { secret } = await addTotp(await signedIn())
    nextCode()
    const code = codeOf(secret)
    const browsers = [1, 2, 3].map(() => new Browser(deps))
    const tickets = await Promise.all(browsers.map(beginSignIn))
    const answers = await Promise.all(
      browsers.map((browser, at) => browser.sendForm({ ticket: tickets[at]?.ticket ?? '', code })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test('a ticket works once, for five minutes, and not after a change of the password', async () => {
    const { recoveryCodes: codes } = await addTotp(await signedIn())
    const browser = new Browser(deps)
    const { ticket } = await beginSignIn(browser)
    const send = (code = '', by = ticket) => new Browser(deps).sendForm({ ticket: by, code })
    expect((await send(codes[0], `${ticket.slice(0, -1)}_`)).status).toBe(401)
    expect((await send(codes[0])).status).toBe(200)
    expect(await send(codes[1])).toMatchObject({
      status: 401,
      body: { meta: { secondFactor: { ticket: null } } },
    })
    const late = await beginSignIn(browser)
    await deps.db.update(authChallenges).set({ expiresAt: new Date(Date.now() - 1000) })
    expect((await send(codes[1], late.ticket)).status).toBe(401)
    const old = await beginSignIn(browser)
    await deps.db.update(users).set({ sessionVersion: 9 })
    expect((await send(codes[1], old.ticket)).status).toBe(401)
  })

  test('five wrong codes in a row are looked at, whatever ticket and address they come with', async () => {
    const { secret } = await addTotp(await signedIn())
    nextCode()
    for (let n = 1; n <= 5; n++)
      expect(
        (await signInWith('000000', new Browser(deps, { address: `192.0.2.${n}` }))).status,
      ).toBe(401)
    const { ticket } = await beginSignIn(new Browser(deps))
    const right = await new Browser(deps).sendForm({ ticket, code: codeOf(secret) })
    expect(right.status).toBe(429)
    const failed = await deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'users.sign-in-failed'))
    expect(failed).toHaveLength(5)
    expect(failed[0]).toMatchObject({ details: { reason: 'wrong second factor' } })
  })

  test('a recovery code stands in for it, once', async () => {
    const {
      recoveryCodes: [code = ''],
    } = await addTotp(await signedIn())
    const { browser, status } = await signInWith(` ${code.toUpperCase().replaceAll('-', ' ')} `)
    expect(status).toBe(200)
    expect(await describeFactors(browser)).toMatchObject({ recoveryCodesLeft: 9 })
    expect((await signInWith(code)).status).toBe(401)
  })

  test('stays required after the password was changed, and the session stays one that passed it', async () => {
    const browser = await signedIn()
    await addTotp(browser)
    const newPassword = 'another horse battery'
    const body = { currentPassword: PASSWORD, newPassword }
    expect((await send(browser, password.PUT, 'PUT', body)).status).toBe(200)
    expect(await statusOf(browser)).toBe(200)
    expect((await new Browser(deps).signIn(ANN, newPassword)).status).toBe(401)
  })
})

describe('changing second factors', () => {
  test('a code confirms the identity, too, for ten minutes', async () => {
    const browser = await signedIn()
    const { secret } = await addTotp(browser)
    await deps.db.execute("update engine.sessions set confirmed_at = now() - interval '11 minutes'")
    expect((await send(browser, totp.DELETE, 'DELETE')).status).toBe(403)
    expect((await send(browser, recovery.POST, 'POST')).status).toBe(403)
    expect((await confirm(browser, { code: codeOf(secret) })).status).toBe(400)
    nextCode()
    expect((await confirm(browser, { code: codeOf(secret) })).status).toBe(200)
    expect((await send(browser, totp.DELETE, 'DELETE')).status).toBe(200)
    expect(await describeFactors(browser)).toMatchObject({ totp: null, recoveryCodesLeft: 0 })
    expect((await new Browser(deps).signIn(ANN, PASSWORD)).status).toBe(200)
    expect((await send(browser, totp.DELETE, 'DELETE')).status).toBe(404)
    expect((await send(browser, recovery.POST, 'POST')).status).toBe(409)
  })

  test('new recovery codes make the older ones invalid', async () => {
    const browser = await signedIn()
    const {
      recoveryCodes: [old = ''],
    } = await addTotp(browser)
    const renewed = await send(browser, recovery.POST, 'POST')
    const [code] = renewed.body.data[0].recoveryCodes
    expect((await signInWith(old)).status).toBe(401)
    expect((await signInWith(code)).status).toBe(200)
  })

  test('one of both proofs, and no others, are taken', async () => {
    const browser = await signedIn()
    for (const body of [
      {},
      { password: '' },
      { password: PASSWORD, code: '1' },
      { code: 'x'.repeat(99) },
    ])
      expect((await confirm(browser, body as Record<string, string>)).status).toBe(400)
  })

  test('an account without a second factor reads as such', async () => {
    const browser = await signedIn()
    expect(await describeFactors(browser)).toEqual({
      ...{ required: false, totp: null, passkeys: [], recoveryCodesLeft: 0, confirmedUntil: null },
    })
    expect((await send(browser, me.GET, 'GET')).status).toBe(200)
  })
})
