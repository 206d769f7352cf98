import { beforeEach, describe, expect, test } from 'vitest'
import * as ask from '@/app/api/auth/passkey/route'
import { auditLog, authChallenges, passkeys, users } from '@/lib/db/schema'
import { Authenticator } from '@/lib/testing/authenticator'
import { Browser } from '@/lib/testing/browser'
import {
  ANN,
  addTotp,
  addUser,
  beginSignIn,
  codeOf,
  confirm,
  deps,
  PASSWORD,
  send,
  signedIn,
  statusOf,
} from '../../testing/second-factor'
import * as confirmation from '../confirmation/route'
import * as factors from '../route'
import * as totp from '../totp/route'
import * as one from './[passkeyId]/route'
import * as options from './options/route'
import * as all from './route'

const ORIGIN = 'http://localhost:3000'
type Choice = Parameters<Authenticator['get']>[1]

beforeEach(() => addUser())

const offered = async (browser: Browser) => (await send(browser, options.POST, 'POST')).body.data[0]

async function add(
  browser: Browser,
  device: Authenticator,
  choice: Choice & { format?: 'apple' } = {},
) {
  await confirm(browser)
  const challenge = await offered(browser)
  const { challengeId } = challenge
  const body = { challengeId, name: 'Laptop', response: device.create(challenge, choice) }
  return send(browser, all.POST, 'POST', body)
}

async function withPasskey() {
  const browser = await signedIn()
  const device = new Authenticator(ORIGIN)
  const { status, body } = await add(browser, device)
  expect(status).toBe(201)
  return { browser, device, ...body.data[0] } as {
    browser: Browser
    device: Authenticator
    id: string
    recoveryCodes: string[]
  }
}

const asked = async (browser: Browser, body: object = {}) =>
  (await browser.call(ask.POST, { method: 'POST', path: '/api/auth/passkey', body })).body.data[0]

async function proofOf(device: Authenticator, choice?: Choice, body?: object) {
  const challenge = await asked(new Browser(deps), body)
  return { challengeId: challenge.challengeId, response: device.get(challenge, choice) }
}

const signInBy = (browser: Browser, proof: object, more: Record<string, string> = {}) =>
  browser.sendForm({ passkey: JSON.stringify(proof), ...more })

describe('adding a passkey', () => {
  test('needs the password again, and brings recovery codes with the first factor', async () => {
    const browser = await signedIn()
    const other = await signedIn()
    expect((await send(browser, options.POST, 'POST')).status).toBe(403)
    const device = new Authenticator(ORIGIN)
    const added = await add(browser, device)
    expect(added.body.data[0].recoveryCodes).toHaveLength(10)
    expect([await statusOf(browser), await statusOf(other)]).toEqual([200, 401])
    expect((await send(browser, factors.GET, 'GET')).body.data[0]).toMatchObject({
      passkeys: [{ name: 'Laptop', backedUp: false, lastUsedAt: null }],
    })
    expect((await add(browser, device)).status).toBe(409)
    const second = await add(browser, new Authenticator(ORIGIN))
    expect(second.body.data[0].recoveryCodes).toBeNull()
  })

  test.each([
    ['of another origin', { origin: 'https://evil.example.com' }],
    ['without verification of the user', { verified: false }],
    ['with an attestation that was not asked for', { format: 'apple' as const }],
  ])('%s is refused', async (_, choice) => {
    const browser = await signedIn()
    expect(await add(browser, new Authenticator(ORIGIN), choice)).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'response' }] },
    })
  })

  test('for another relying party is refused', async () => {
    expect(
      (await add(await signedIn(), new Authenticator('http://evil.test'), { origin: ORIGIN }))
        .status,
    ).toBe(400)
  })

  test('takes a challenge of this user once, for five minutes', async () => {
    await addUser('bob@example.com')
    const [ann, bob] = [await signedIn(), await signedIn('bob@example.com')]
    await confirm(ann)
    await confirm(bob)
    const challenge = await offered(ann)
    const { challengeId } = challenge
    const body = () => ({
      challengeId,
      name: 'A',
      response: new Authenticator(ORIGIN).create(challenge),
    })
    expect((await send(bob, all.POST, 'POST', body())).status).toBe(400)
    expect((await send(ann, all.POST, 'POST', body())).status).toBe(201)
    expect((await send(ann, all.POST, 'POST', body())).status).toBe(400)
    const late = await offered(ann)
    await deps.db.update(authChallenges).set({ expiresAt: new Date(Date.now() - 1000) })
    const response = new Authenticator(ORIGIN).create(late)
    const { status } = await send(ann, all.POST, 'POST', {
      challengeId: late.challengeId,
      name: 'A',
      response,
    })
    expect(status).toBe(400)
  })

  test('is limited to twenty', async () => {
    const { browser } = await withPasskey()
    await deps.db.execute(`insert into engine.passkeys (user_id, name, credential_id, public_key, counter, transports, backed_up)
      select user_id, name, n::text, public_key, 0, transports, false from engine.passkeys, generate_series(1, 19) n`)
    expect((await add(browser, new Authenticator(ORIGIN))).status).toBe(409)
  })
})

describe('signing in by passkey', () => {
  test('needs no password', async () => {
    const { device } = await withPasskey()
    const browser = new Browser(deps)
    expect((await signInBy(browser, await proofOf(device))).status).toBe(200)
    expect(await browser.session()).toMatchObject({ user: { email: ANN } })
    expect((await send(browser, factors.GET, 'GET')).body.data[0].passkeys).toMatchObject([
      { lastUsedAt: expect.any(String) },
    ])
  })

  test('is the second step after a password', async () => {
    const { device } = await withPasskey()
    const browser = new Browser(deps)
    const { ticket, methods } = await beginSignIn(browser)
    expect(methods).toEqual(['passkey', 'recovery-code'])
    const challenge = await asked(browser, { ticket })
    expect(challenge.options.allowCredentials).toHaveLength(1)
    const proof = { challengeId: challenge.challengeId, response: device.get(challenge) }
    expect((await signInBy(browser, proof, { ticket })).status).toBe(200)
    expect((await signInBy(browser, await proofOf(device), { ticket })).status).toBe(401)
  })

  test('does not finish a sign-in that began before the sessions of the user were ended', async () => {
    const { device } = await withPasskey()
    const browser = new Browser(deps)
    const { ticket } = await beginSignIn(browser)
    await deps.db.update(users).set({ sessionVersion: 7 })
    expect(await signInBy(browser, await proofOf(device), { ticket })).toMatchObject({
      status: 401,
      body: { meta: { secondFactor: { ticket: null } } },
    })
    expect(await browser.session()).toEqual({})
  })

  test('is refused where passwords are off, but as a second step and to the one administrator', async () => {
    const { device } = await withPasskey()
    const browser = new Browser(deps)
    const { ticket } = await beginSignIn(browser)
    deps.settings = { ...deps.settings, PASSWORD_SIGN_IN: false }
    expect(await signInBy(browser, await proofOf(device))).toMatchObject({
      status: 403,
      body: { error: 'Passwords and passkeys are off here; sign in by a provider' },
    })
    expect(await browser.session()).toEqual({})
    expect((await signInBy(browser, await proofOf(device), { ticket })).status).toBe(200)
    deps.settings = { ...deps.settings, BREAK_GLASS_ADMIN: ANN }
    expect((await signInBy(new Browser(deps), await proofOf(device))).status).toBe(200)
  })

  test('of another user does not finish a sign-in', async () => {
    await withPasskey()
    await addUser('bob@example.com')
    const device = new Authenticator(ORIGIN)
    await add(await signedIn('bob@example.com'), device)
    const browser = new Browser(deps)
    const { ticket } = await beginSignIn(browser)
    expect((await signInBy(browser, await proofOf(device), { ticket })).status).toBe(401)
    expect(await browser.session()).toEqual({})
  })

  test.each<[string, Choice]>([
    ['of another origin', { origin: 'https://evil.example.com' }],
    ['without verification of the user', { verified: false }],
    ['with a number of signatures that was there before', { counter: 1 }],
  ])('%s is refused and noted', async (_, choice) => {
    const { device } = await withPasskey()
    const browser = new Browser(deps)
    expect((await signInBy(browser, await proofOf(device, choice))).status).toBe(401)
    expect(await browser.session()).toEqual({})
    const logged = await deps.db.select().from(auditLog).orderBy(auditLog.id)
    expect(logged.at(-1)).toMatchObject({ details: { reason: 'wrong second factor' } })
  })

  test('uses a challenge up, and takes nothing else for a proof', async () => {
    const { device } = await withPasskey()
    const proof = await proofOf(device)
    const browsers = [1, 2, 3].map(() => new Browser(deps))
    const answers = await Promise.all(browsers.map((browser) => signInBy(browser, proof)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const stranger = await proofOf(new Authenticator(ORIGIN))
    for (const text of ['', '{', '{}', '[1]', JSON.stringify(stranger)])
      expect((await new Browser(deps).sendForm({ passkey: text })).status).toBe(401)
  })

  test('counts signatures, so that of two copies of a device one signs in', async () => {
    const { device } = await withPasskey()
    const proofs = [await proofOf(device, { counter: 9 }), await proofOf(device, { counter: 9 })]
    const answers = await Promise.all(proofs.map((proof) => signInBy(new Browser(deps), proof)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('of a disabled user says so', async () => {
    const { device } = await withPasskey()
    await deps.db.update(users).set({ status: 'DISABLED' })
    expect((await signInBy(new Browser(deps), await proofOf(device))).status).toBe(403)
  })

  test('offers a hundred challenges in five minutes to a network', async () => {
    const browser = new Browser(deps, { address: '192.0.2.66' })
    for (let n = 1; n <= 100; n++) await asked(browser)
    const { status } = await browser.call(ask.POST, {
      method: 'POST',
      path: '/api/auth/passkey',
      body: {},
    })
    expect(status).toBe(429)
  })

  test('with a ticket that has expired, says so', async () => {
    const request = { method: 'POST', path: '/api/auth/passkey', body: { ticket: 'a.b' } }
    expect((await new Browser(deps).call(ask.POST, request)).status).toBe(401)
  })
})

describe('passkeys', () => {
  const change = (browser: Browser, method: 'PATCH' | 'DELETE', passkeyId: string, body?: object) =>
    send(browser, method === 'PATCH' ? one.PATCH : one.DELETE, method, body, { passkeyId })

  test('are renamed and removed by their user', async () => {
    const { browser, id } = await withPasskey()
    await addUser('bob@example.com')
    const bob = await signedIn('bob@example.com')
    await confirm(bob)
    expect((await change(bob, 'PATCH', id, { name: 'Mine' })).status).toBe(404)
    expect((await change(bob, 'DELETE', id)).status).toBe(404)
    expect((await change(browser, 'PATCH', 'x', { name: 'Mine' })).status).toBe(404)
    expect((await change(browser, 'PATCH', id, { name: ' ' })).status).toBe(400)
    const renamed = await change(browser, 'PATCH', id, { name: 'Phone' })
    expect(renamed.body.data).toMatchObject([{ id, name: 'Phone' }])
    expect((await change(browser, 'DELETE', id)).status).toBe(200)
    expect(await deps.db.select().from(passkeys)).toEqual([])
    expect((await new Browser(deps).signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('confirm the identity of their own user', async () => {
    const { browser, device } = await withPasskey()
    await deps.db.execute('update engine.sessions set confirmed_at = null')
    expect((await send(browser, totp.POST, 'POST')).status).toBe(403)
    const proof = async (of: Authenticator) =>
      (await send(browser, confirmation.POST, 'POST', { passkey: await proofOf(of) })).status
    await addUser('bob@example.com')
    const other = new Authenticator(ORIGIN)
    await add(await signedIn('bob@example.com'), other)
    expect(await proof(other)).toBe(400)
    expect(await proof(device)).toBe(200)
    expect((await send(browser, totp.POST, 'POST')).status).toBe(201)
  })

  test('stand beside an authenticator app', async () => {
    const { browser, recoveryCodes } = await withPasskey()
    const { secret, recoveryCodes: more } = await addTotp(browser)
    expect(more).toBeNull()
    expect(codeOf(secret)).toMatch(/^\d{6}$/)
    const { methods } = await beginSignIn(new Browser(deps))
    expect(methods).toEqual(['totp', 'passkey', 'recovery-code'])
    expect(recoveryCodes).toHaveLength(10)
  })
})
