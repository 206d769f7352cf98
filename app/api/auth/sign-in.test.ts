import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import { auditLog, users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'
import { call } from '@/lib/testing/request'
import * as nextAuth from './[...nextauth]/route'
import * as setup from './setup/route'

const deps = freshDeps()
const PASSWORD = 'correct horse battery'
const HASH = await hashPassword(PASSWORD)
type Status = (typeof users.$inferInsert)['status']

async function addUser(email: string, status: Status = 'ACTIVATED', roles = ['ADMIN']) {
  await deps.db.insert(users).values({ email, passwordHash: HASH, roles, status })
}

const failures = () =>
  deps.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'users.sign-in-failed'))
    .orderBy(auditLog.id)

describe('signing in', () => {
  test('gives a session that says who it is', async () => {
    await addUser('ann@example.com')
    const browser = new Browser(deps)
    const response = await browser.signIn('ANN@example.com ', PASSWORD)
    expect(response.status).toBe(200)
    expect(await browser.session()).toMatchObject({
      user: { email: 'ann@example.com', roles: ['ADMIN'], mustChangePassword: false },
    })
    const cookie = response.headers.getSetCookie().find((text) => text.includes('session-token'))
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
    expect(cookie).not.toContain('Secure')
  })

  test('under HTTPS the cookies are secure', async () => {
    await testDeps({ APP_URL: 'https://engine.example.com' })
    await addUser('ann@example.com')
    const response = await new Browser(deps).signIn('ann@example.com', PASSWORD)
    const cookie = response.headers.getSetCookie().find((text) => text.includes('session-token'))
    expect(cookie).toMatch(/^__Secure-next-auth.*Secure/)
  })

  test.each([
    ['a wrong password', 'ann@example.com', 'wrong horse battery'],
    ['an unknown email', 'bob@example.com', PASSWORD],
    ['no password', 'ann@example.com', ''],
    ['an account without a password', 'cat@example.com', ''],
  ])('%s is refused in the same words', async (_, email, password) => {
    await addUser('ann@example.com')
    await deps.db
      .insert(users)
      .values({ email: 'cat@example.com', roles: ['X'], status: 'ACTIVATED' })
    const browser = new Browser(deps)
    const response = await browser.signIn(email, password)
    expect(response).toMatchObject({
      status: 401,
      body: { data: [], code: 401, error: 'The email or the password is wrong' },
    })
    expect(await browser.session()).toEqual({})
  })

  test.each([
    ['REQUIRED_ACTIVATION', 'not activated yet'],
    ['REQUIRED_RESET_PASSWORD', 'needs a new password'],
    ['DISABLED', 'is disabled'],
  ] as const)(
    'an account that is %s is refused, and says why to its owner alone',
    async (status, why) => {
      await addUser('ann@example.com', status)
      const right = await new Browser(deps).signIn('ann@example.com', PASSWORD)
      expect(right).toMatchObject({ status: 403, body: { error: expect.stringContaining(why) } })
      const wrong = await new Browser(deps).signIn('ann@example.com', 'wrong horse battery')
      expect(wrong).toMatchObject({ status: 401 })
    },
  )

  test('without the token of the form it is refused', async () => {
    await addUser('ann@example.com')
    const response = await call(deps, nextAuth.POST, {
      method: 'POST',
      path: '/api/auth/callback/credentials',
      params: { nextauth: ['callback', 'credentials'] },
      body: { email: 'ann@example.com', password: PASSWORD, json: 'true' },
    })
    expect(response).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('expired') },
    })
    expect(response.headers.getSetCookie().join()).not.toContain('session-token')
  })

  test('thirty attempts from an address are looked at, whatever X-Forwarded-For says', async () => {
    for (let n = 1; n <= 30; n++) {
      const browser = new Browser(deps, {
        address: '192.0.2.1',
        headers: { 'X-Forwarded-For': `10.0.0.${n}` },
      })
      expect((await browser.signIn(`user${n}@example.com`, 'wrong')).status).toBe(401)
    }
    const same = new Browser(deps, { address: '192.0.2.1' })
    expect((await same.signIn('another@example.com', 'wrong')).status).toBe(429)
    const other = new Browser(deps, { address: '192.0.2.2' })
    expect((await other.signIn('another@example.com', 'wrong')).status).toBe(401)
  })

  test('what fails is in the audit log: who was meant, from where and why, never the password', async () => {
    await addUser('ann@example.com')
    await addUser('off@example.com', 'DISABLED')
    const browser = new Browser(deps, { address: '192.0.2.7' })
    await browser.signIn(' Ann@Example.com', 'canary words 1')
    await browser.signIn('off@example.com', PASSWORD)
    await browser.signIn('unknown@example.com', 'canary words 2')
    await browser.signIn('canary words 3', 'canary words 4')
    const noted = await failures()
    const [ann, off] = await deps.db.select().from(users).orderBy(users.email)
    const common = { actorType: 'anonymous', actorId: null, address: '192.0.2.7' }
    expect(noted).toMatchObject([
      { ...common, objectId: ann?.id, details: { reason: 'wrong password' } },
      { ...common, objectId: off?.id, details: { reason: 'DISABLED' } },
      { ...common, objectId: null, details: { reason: 'unknown', email: 'unknown@example.com' } },
      { ...common, objectId: null, details: { reason: 'unknown' } },
    ])
    for (const { requestId } of noted) expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.stringify(noted)).not.toContain('words')
  })

  test('what the limits refuse adds nothing to the audit log', async () => {
    await addUser('ann@example.com')
    for (let n = 1; n <= 15; n++) await new Browser(deps).signIn('ann@example.com', 'wrong')
    expect(await failures()).toHaveLength(10)
  })

  test('successful sign-ins are not counted', async () => {
    await addUser('ann@example.com')
    for (let n = 1; n <= 12; n++)
      expect((await new Browser(deps).signIn('ann@example.com', PASSWORD)).status).toBe(200)
  })
})

describe('a session', () => {
  test.each([
    ['its version is raised', sql`session_version = session_version + 1`],
    ['the user is disabled', sql`status = 'DISABLED'`],
  ])('ends when %s', async (_, change) => {
    await addUser('ann@example.com')
    const browser = new Browser(deps)
    await browser.signIn('ann@example.com', PASSWORD)
    await browser.session() // renews the token
    await deps.db.execute(sql`update engine.users set ${change}`)
    expect(await browser.session()).toEqual({})
  })

  test('ends with signing out, for copies of the cookie too', async () => {
    await addUser('ann@example.com')
    const browser = new Browser(deps)
    await browser.signIn('ann@example.com', PASSWORD)
    const thief = browser.copy()
    expect(await thief.session()).toHaveProperty('user')
    expect((await browser.signOut()).status).toBe(200)
    expect(await browser.session()).toEqual({})
    expect(await thief.session()).toEqual({})
  })
})

describe('setting up', () => {
  const admin = { email: 'ann@example.com', password: PASSWORD }
  const setUp = (body: unknown) =>
    call(deps, setup.POST, {
      ...{ method: 'POST', path: '/api/auth/setup', body },
      headers: { [PEER_HEADER]: '192.0.2.9' },
    })

  test('makes an administrator who can sign in', async () => {
    expect(await setUp(admin)).toMatchObject({
      status: 201,
      body: { data: [{ email: 'ann@example.com', roles: ['ADMIN'] }] },
    })
    expect((await new Browser(deps).signIn(admin.email, PASSWORD)).status).toBe(200)
  })

  test('is noted with the address it came from', async () => {
    await setUp(admin)
    const [entry] = await deps.db.select().from(auditLog)
    expect(entry).toMatchObject({
      ...{ action: 'users.create', actorType: 'anonymous', address: '192.0.2.9' },
      ...{ requestId: expect.any(String), details: { email: admin.email, roles: ['ADMIN'] } },
    })
  })

  test('works once, of many at the same time too', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => setUp({ ...admin, email: `a${n}@example.com` })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await setUp({ ...admin, email: 'late@example.com' })).status).toBe(409)
  })

  test('names every fault', async () => {
    const response = await setUp({ email: 'ann', password: 'password1', admin: true })
    expect(response.status).toBe(400)
    const fields = response.body.validations.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual(['admin', 'email', 'password'])
  })
})
