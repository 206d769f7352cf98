import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog, rateLimits, users, userTokens } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { Browser } from '@/lib/testing/browser'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { hashPassword } from '@/lib/testing/password'
import type { UserStatus } from '@/lib/users/status'
import * as init from '../users/init/route'
import * as me from '../users/me/route'
import * as activate from './activate-account/route'
import * as forget from './forget-password/route'
import * as reset from './reset-password/route'

const deps = freshDeps()
const EMAIL = 'ann@example.com'
const PASSWORD = 'correct horse battery'
const HASH = await hashPassword(PASSWORD)

const post = (handler: Handler, body: unknown, browser = new Browser(deps)) =>
  browser.call(handler, { method: 'POST', path: '/api/auth', body })
const forgetPassword = (email: string, browser?: Browser) => post(forget.POST, { email }, browser)
const addUser = (status: UserStatus, more: object = {}) =>
  deps.db
    .insert(users)
    .values({ email: EMAIL, passwordHash: HASH, roles: ['X'], status, ...more })
    .returning()
const theUser = async () => (await deps.db.select().from(users).where(eq(users.email, EMAIL)))[0]
const lastToken = async () => (await readInbox(deps)).at(-1)?.token
const voided = { status: 400, body: { validations: [{ field: 'token' }] } }

describe('asking for a reset', () => {
  test.each([
    ['ACTIVATED', 'reset-password'],
    ['REQUIRED_RESET_PASSWORD', 'reset-password'],
    ['REQUIRED_ACTIVATION', 'activation'],
    ['DISABLED', undefined],
  ] as const)(
    'an account that is %s gets the mail %s, and stays as it is',
    async (status, template) => {
      await addUser(status)
      const before = await theUser()
      const response = await forgetPassword('  ANN@example.com')
      expect(response).toMatchObject({ status: 200, body: { data: [], code: 200 } })
      const inbox = await readInbox(deps)
      expect(inbox.map((mail) => mail.template)).toEqual(template ? [template] : [])
      expect(await theUser()).toEqual(before)
    },
  )

  test.each<[string, object, string[]]>([
    ['an account without use for a password gets none', {}, []],
    ['the one administrator gets it', { email: 'Root@example.com' }, ['reset-password']],
    ['an administrator, whom it links, gets it', { roles: ['admin'] }, ['reset-password']],
    ['one that needs a new one gets it', { status: 'REQUIRED_RESET_PASSWORD' }, ['reset-password']],
    ['one that is not active gets its link', { status: 'REQUIRED_ACTIVATION' }, ['activation']],
  ])('where passwords are off, %s', async (_, user, templates) => {
    deps.settings = {
      ...deps.settings,
      ...{ PASSWORD_SIGN_IN: false, BREAK_GLASS_ADMIN: 'root@example.com' },
    }
    const [added] = await addUser('ACTIVATED', user)
    const { status, body } = await forgetPassword(added?.email ?? '')
    expect([status, body.data]).toEqual([200, []])
    expect((await readInbox(deps)).map(({ template }) => template)).toEqual(templates)
  })

  test('is counted for a network of IPv6, whose addresses are one client’s', async () => {
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      await forgetPassword(`${address.length}@example.com`, new Browser(deps, { address }))
    const counted = await deps.db.select().from(rateLimits)
    const ofCallers = counted.filter(({ key }) => key.startsWith('reset-from'))
    expect(ofCallers.map(({ points }) => points).sort()).toEqual([1, 2])
  })

  test('responds the same for an account that does not exist', async () => {
    await addUser('ACTIVATED')
    const known = await forgetPassword(EMAIL)
    const unknown = await forgetPassword('unknown@example.com')
    const withoutTime = (text: string) => text.replace(/"timestamp":\d+/, '')
    expect(withoutTime(unknown.text)).toBe(withoutTime(known.text))
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    expect(await readInbox(deps)).toHaveLength(1)
  })

  test('ends no session and no password', async () => {
    await addUser('ACTIVATED')
    const browser = new Browser(deps)
    await browser.signIn(EMAIL, PASSWORD)
    await forgetPassword(EMAIL)
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(200)
    expect((await new Browser(deps).signIn(EMAIL, PASSWORD)).status).toBe(200)
  })

  test.each([EMAIL, 'unknown@example.com'])(
    'three times an hour is enough for %s',
    async (email) => {
      await addUser('ACTIVATED')
      for (let n = 0; n < 3; n++) expect((await forgetPassword(email)).status).toBe(200)
      const response = await forgetPassword(
        email.toUpperCase(),
        new Browser(deps, { address: '192.0.2.9' }),
      )
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)
    },
  )

  test('builds links from APP_URL, whatever the Host header says', async () => {
    await testDeps({ APP_URL: 'https://engine.example.com/' })
    await addUser('ACTIVATED')
    await forgetPassword(
      EMAIL,
      new Browser(deps, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }),
    )
    const [mail] = await readInbox(deps)
    expect(mail?.text).toContain('https://engine.example.com/reset-password?token=')
    expect(mail?.text).not.toContain('evil')
  })

  test('from another site’s page is refused', async () => {
    const browser = new Browser(deps, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect((await forgetPassword(EMAIL, browser)).status).toBe(403)
  })
})

describe('the link of a reset', () => {
  test('sets the password once, ends the sessions and lets the user in', async () => {
    await addUser('ACTIVATED', { mustChangePassword: true })
    const browser = new Browser(deps)
    await browser.signIn(EMAIL, PASSWORD)
    await forgetPassword(EMAIL)
    const token = await lastToken()
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => post(reset.POST, { token, password: 'another horse' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(401)
    expect((await new Browser(deps).signIn(EMAIL, PASSWORD)).status).toBe(401)
    expect((await new Browser(deps).signIn(EMAIL, 'another horse')).status).toBe(200)
    expect(await theUser()).toMatchObject({ mustChangePassword: false, status: 'ACTIVATED' })
  })

  test('makes an account usable that waited for a password', async () => {
    await addUser('REQUIRED_RESET_PASSWORD', { passwordHash: null })
    await forgetPassword(EMAIL)
    expect(
      (await post(reset.POST, { token: await lastToken(), password: 'another horse' })).status,
    ).toBe(200)
    expect((await new Browser(deps).signIn(EMAIL, 'another horse')).status).toBe(200)
  })

  test('lets in a user who was locked out by guesses of others', async () => {
    await addUser('ACTIVATED')
    for (let n = 0; n < 11; n++)
      await new Browser(deps, { address: `192.0.2.${n}` }).signIn(EMAIL, 'guess')
    await forgetPassword(EMAIL)
    await post(reset.POST, { token: await lastToken(), password: 'another horse' })
    expect((await new Browser(deps).signIn(EMAIL, 'another horse')).status).toBe(200)
  })

  test('is void when a newer one was sent', async () => {
    await addUser('ACTIVATED')
    await forgetPassword(EMAIL)
    const older = await lastToken()
    await forgetPassword(EMAIL)
    expect(await post(reset.POST, { token: older, password: 'another horse' })).toMatchObject(
      voided,
    )
  })

  test('is void after an hour', async () => {
    await addUser('ACTIVATED')
    await forgetPassword(EMAIL)
    const [token] = await deps.db.select().from(userTokens)
    const minutes = ((token?.expiresAt.getTime() ?? 0) - Date.now()) / 60_000
    expect(Math.round(minutes)).toBe(60)
    await deps.db.update(userTokens).set({ expiresAt: sql`now()` })
    expect(
      await post(reset.POST, { token: await lastToken(), password: 'another horse' }),
    ).toMatchObject(voided)
  })

  test('is void for an account that was disabled meanwhile', async () => {
    await addUser('ACTIVATED')
    await forgetPassword(EMAIL)
    await deps.db.update(users).set({ status: 'DISABLED' })
    expect(
      await post(reset.POST, { token: await lastToken(), password: 'another horse' }),
    ).toMatchObject(voided)
    expect(await theUser()).toMatchObject({ status: 'DISABLED', passwordHash: HASH })
  })

  test('does not activate an account', async () => {
    await addUser('ACTIVATED')
    await forgetPassword(EMAIL)
    expect(await post(activate.POST, { token: await lastToken() })).toMatchObject(voided)
  })

  test('stays good when the new password is refused', async () => {
    await addUser('ACTIVATED')
    await forgetPassword(EMAIL)
    const token = await lastToken()
    expect((await post(reset.POST, { token, password: 'password' })).status).toBe(400)
    expect((await post(reset.POST, { token, password: 'another horse' })).status).toBe(200)
  })
})

describe('the link of an activation', () => {
  async function invite() {
    const user = { email: EMAIL, password: PASSWORD, roles: ['X'], profile: {} }
    await deps.db.insert(users).values({
      email: 'admin@example.com',
      passwordHash: HASH,
      roles: ['ADMIN'],
      status: 'ACTIVATED',
    })
    const admin = new Browser(deps)
    await admin.signIn('admin@example.com', PASSWORD)
    const response = await admin.call(init.POST, {
      method: 'POST',
      path: '/api/users/init',
      body: user,
    })
    expect(response.status).toBe(200)
    return lastToken()
  }

  test('activates once', async () => {
    const token = await invite()
    expect((await new Browser(deps).signIn(EMAIL, PASSWORD)).status).toBe(403)
    const responses = await Promise.all([1, 2, 3].map(() => post(activate.POST, { token })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await new Browser(deps).signIn(EMAIL, PASSWORD)).status).toBe(200)
  })

  test('is good for seven days', async () => {
    const token = await invite()
    const [stored] = await deps.db.select().from(userTokens)
    expect(Math.round(((stored?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000)).toBe(7 * 24)
    await deps.db.update(userTokens).set({ expiresAt: sql`now()` })
    expect(await post(activate.POST, { token })).toMatchObject(voided)
  })

  test('does nothing by being opened: only POST counts', async () => {
    const response = await new Browser(deps).call(activate.GET, {
      path: '/api/auth/activate-account',
    })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  })
})

test.each([
  [activate.POST, {}, ['token']],
  [activate.POST, { token: 1, more: 1 }, ['more', 'token']],
  [forget.POST, { email: 'ann' }, ['email']],
  [reset.POST, { token: '', password: 'short' }, ['password', 'token']],
])('every fault of a body is named', async (handler, body, fields) => {
  const response = await post(handler, body)
  expect(response.status).toBe(400)
  expect(response.body.validations.map(({ field }: { field: string }) => field).sort()).toEqual(
    fields,
  )
})

test('what happens by links is in the audit log, with the caller’s address', async () => {
  await addUser('ACTIVATED')
  await forgetPassword(EMAIL)
  await post(reset.POST, { token: await lastToken(), password: 'another horse' })
  const entries = await deps.db.select().from(auditLog).orderBy(auditLog.id)
  expect(entries.map(({ action }) => action)).toEqual([
    'users.forget-password',
    'users.reset-password',
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({
      actorType: 'anonymous',
      address: '192.0.2.200',
      objectType: 'user',
    })
})
