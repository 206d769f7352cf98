import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { verifyPassword } from '@/lib/auth/password'
import { auditLog, mails, users, userTokens } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { call, testKey } from '@/lib/testing/request'
import * as activate from '../auth/activate-account/route'
import * as activation from './[userId]/activation-email/route'
import * as user from './[userId]/route'
import * as sessions from './[userId]/sessions/route'
import * as init from './init/route'
import * as password from './me/password/route'
import * as me from './me/route'
import * as list from './route'

const deps = freshDeps()
const PASSWORD = 'correct horse battery'
const ANN = { email: 'ann@example.com', roles: ['EDITOR'], profile: {} }

const create = (body: unknown, query = '', scopes?: string[]) =>
  call(deps, init.POST, {
    method: 'POST',
    path: `/api/users/init${query}`,
    as: 'ADMIN',
    scopes,
    body,
  })

async function find(email: string) {
  const [found] = await deps.db.select().from(users).where(eq(users.email, email))
  return found
}

async function created(body: object = {}, query = '') {
  const response = await create({ ...ANN, password: PASSWORD, ...body }, query)
  expect(response).toMatchObject({ status: 200 })
  return response.body.data[0].userId as string
}

async function activated(body: object = {}) {
  const userId = await created(body)
  await deps.db.update(users).set({ status: 'ACTIVATED' }).where(eq(users.id, userId))
  return userId
}

describe('creating a user', () => {
  test('with a generated password sends it, and reveals it to no other user', async () => {
    const response = await create({ ...ANN, password: 'ignored' }, '?generatePassword=true')
    expect(response).toMatchObject({ status: 200, body: { code: 200, status: 'OK' } })
    expect(response.body.data).toEqual([{ userId: expect.any(String), ...ANN }])
    const [mail, ...others] = await readInbox(deps)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: ANN.email,
      template: 'activation-with-password',
      status: 'queued',
    })
    const generated = /Your password: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const row = await find(ANN.email)
    expect(row).toMatchObject({ status: 'REQUIRED_ACTIVATION', mustChangePassword: true })
    expect(await verifyPassword(row?.passwordHash ?? '', generated)).toBe(true)
    expect(await verifyPassword(row?.passwordHash ?? '', 'ignored')).toBe(false)
    expect(response.text).not.toContain(generated)
  })

  test.each(['x', 5, '12345678'])(
    'with a generated password, %j in the body means nothing',
    async (given) => {
      const response = await create({ ...ANN, password: given }, '?generatePassword=true')
      expect(response.status).toBe(200)
    },
  )

  test('with a given password sends the activation mail, which does not hold it', async () => {
    await created({ password: PASSWORD }, '?generatePassword=false')
    const [mail, ...others] = await readInbox(deps)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: ANN.email, template: 'activation' })
    expect(mail?.text).not.toContain(PASSWORD)
    expect(mail?.text).toContain('http://localhost:3000/activate?token=')
    const row = await find(ANN.email)
    expect(row).toMatchObject({ status: 'REQUIRED_ACTIVATION', mustChangePassword: false })
    expect(await verifyPassword(row?.passwordHash ?? '', PASSWORD)).toBe(true)
  })

  test.each([{}, { password: null }])('without a password sends nothing: %j', async (given) => {
    expect((await create({ ...ANN, ...given })).status).toBe(200)
    expect(await readInbox(deps)).toEqual([])
    const row = await find(ANN.email)
    expect(row).toMatchObject({ status: 'REQUIRED_RESET_PASSWORD', passwordHash: null })
    expect((await new Browser(deps).signIn(ANN.email, '')).status).toBe(401)
  })

  test.each([
    [{}],
    [{ name: 'Ann', tags: ['ä', '日本', '👩‍🚀'], deep: { a: [{ b: null }] }, __proto__x: 1 }],
    [{ text: 'a literal \\u0000 and \\ud800', '': 0, 'a.b': 1.5 }],
    [JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')],
    [{ nested: Array.from({ length: 100 }).reduce((inner) => [inner], 1) }],
  ])('echoes the profile as it was sent, then and later', async (profile) => {
    const response = await create({ ...ANN, profile })
    expect(response.body.data[0].profile).toEqual(profile)
    const row = await find(ANN.email)
    expect(row?.profile).toEqual(profile)
    expect(JSON.stringify(Object.keys(row?.profile ?? {}).sort())).toBe(
      JSON.stringify(Object.keys(profile).sort()),
    )
  })

  test('keeps all digits of the numbers in the profile', async () => {
    const sent = '{"n":9007199254740993,"m":1e400,"d":0.1000000000000000055511151231257827}'
    const stored = `{"d": 0.1000000000000000055511151231257827, "m": 1${'0'.repeat(400)}, "n": 9007199254740993}`
    const body = `{"email":"ann@example.com","roles":["ADMIN"],"profile":${sent}}`
    const headers = { 'content-type': 'application/json' }
    const create_ = { method: 'POST', path: '/api/users/init', as: 'ADMIN', headers, body }
    const response = await call(deps, init.POST, create_)
    expect(response.text).toContain(`"profile":${sent}`)
    const { userId } = response.body.data[0]
    const one = { path: `/api/users/${userId}`, as: 'ADMIN', params: { userId } }
    const digits = stored.replaceAll(' ', '')
    expect((await call(deps, user.GET, one)).text).toContain(digits)
    const other = { ...one, method: 'PATCH', headers, body: '{"roles":["VIEWER"]}' }
    expect((await call(deps, user.PATCH, other)).text).toContain(digits)
    expect((await call(deps, list.GET, { path: '/api/users', as: 'ADMIN' })).text).toContain(stored)
    const changed = {
      ...one,
      method: 'PATCH',
      headers,
      body: `{"profile":{"of":[${'9'.repeat(30)}]}}`,
    }
    expect((await call(deps, user.PATCH, changed)).text).toContain(`{"of":[${'9'.repeat(30)}]}`)
    expect((await call(deps, user.GET, one)).text).toContain(`{"of":[${'9'.repeat(30)}]}`)
  })

  test.each([
    ['too many digits', '1e100000', 'A number in the profile has more than 1000 digits'],
    [
      'many long numbers',
      `[${Array(200).fill('1e900').join()}]`,
      'The profile is larger than 64 KiB',
    ],
  ])('refuses a profile with %s', async (_, value, error) => {
    const headers = { 'content-type': 'application/json' }
    const body = `{"email":"ann@example.com","roles":["ADMIN"],"profile":{"a":${value}}}`
    const sent = { method: 'POST', path: '/api/users/init', as: 'ADMIN', headers, body }
    const response = await call(deps, init.POST, sent)
    expect(response).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'profile', error }] },
    })
  })

  test.each([' EDITOR', 'EDITOR ', ' '])('refuses the role "%s"', async (role) => {
    const { status, body } = await create({ ...ANN, roles: [role] })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'roles.0' }] },
    })
  })

  test('trims the e-mail and keeps its case', async () => {
    const response = await create({ ...ANN, email: '  Ann@Example.com ' })
    expect(response.body.data[0].email).toBe('Ann@Example.com')
  })

  test('a taken e-mail is a conflict (case-insensitive), and leaves nothing behind', async () => {
    await created()
    const response = await create({ ...ANN, email: 'ANN@EXAMPLE.COM', password: PASSWORD })
    expect(response).toMatchObject({
      status: 409,
      body: { code: 409, error: 'A user with this e-mail already exists' },
    })
    expect(await readInbox(deps)).toHaveLength(1)
  })

  test('of fifty concurrent requests one succeeds, the rest are conflicts', async () => {
    const key = await testKey(deps, ['ADMIN'])
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call(deps, init.POST, {
          method: 'POST',
          path: '/api/users/init?generatePassword=true',
          headers: { authorization: `Bearer ${key}` },
          body: { ...ANN, email: n % 2 ? ANN.email : ANN.email.toUpperCase() },
        }),
      ),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(49).fill(409)])
    expect(await readInbox(deps)).toHaveLength(1)
    expect(await deps.db.select().from(userTokens)).toHaveLength(1)
  })

  test.each([
    ['no e-mail', { email: undefined }, ['email']],
    ['a bad e-mail', { email: 'ann@' }, ['email']],
    ['no roles', { roles: [] }, ['roles']],
    ['a blank role', { roles: [' '] }, ['roles.0']],
    ['a role twice', { roles: ['admin', 'ADMIN'] }, ['roles']],
    ['33 roles', { roles: Array.from({ length: 33 }, (_, n) => `r${n}`) }, ['roles']],
    ['a long role', { roles: ['x'.repeat(65)] }, ['roles.0']],
    ['no profile', { profile: undefined }, ['profile']],
    ['a list as profile', { profile: [] }, ['profile']],
    ['a null profile', { profile: null }, ['profile']],
    ['a large profile', { profile: { text: 'x'.repeat(65_536) } }, ['profile']],
    ['an unstorable profile', { profile: { a: 'x\u0000' } }, ['profile']],
    ['half a character', { profile: { a: '\ud800' } }, ['profile']],
    ['a short password', { password: 'seven77' }, ['password']],
    ['a long password', { password: 'xy'.repeat(65) }, ['password']],
    ['a common password', { password: 'Password123' }, ['password']],
    ['one character over and over', { password: 'zzzzzzzzzzz' }, ['password']],
    ['an empty password', { password: '' }, ['password']],
    ['a number as password', { password: 12345678 }, ['password']],
    ['an unknown property', { admin: true }, ['admin']],
    [
      'several',
      { email: 'x', roles: 'ADMIN', profile: 1, extra: 1 },
      ['email', 'extra', 'profile', 'roles'],
    ],
  ])('%s is refused, and every fault is named', async (_, body, fields) => {
    const response = await create({ ...ANN, ...body })
    expect(response.status).toBe(400)
    const named = response.body.validations.map(({ field }: { field: string }) => field)
    expect(named.sort()).toEqual(fields)
    expect(await find(ANN.email)).toBeUndefined()
  })

  test('what has the wrong type is not said to be missing', async () => {
    const response = await create({ email: 5, roles: 'ADMIN', profile: {}, password: true })
    expect(response.body.validations).toEqual([
      { field: 'email', error: 'The e-mail must be a text' },
      { field: 'roles', error: 'The roles must be a list of names' },
      { field: 'password', error: 'The password must be a text' },
    ])
  })

  test('a profile that is nested without end is refused', async () => {
    const body = `{"email":"a@example.com","roles":["X"],"profile":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
    const response = await call(deps, init.POST, {
      method: 'POST',
      path: '/api/users/init',
      as: 'ADMIN',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(400)
  })

  test.each(['?generatePassword=maybe', '?generatePassword=', '?other=1'])(
    'the query %s is refused',
    async (query) => {
      expect((await create(ANN, query)).status).toBe(400)
    },
  )

  test('a password of eight characters counts characters, not bytes', async () => {
    expect((await create({ ...ANN, password: '👍👎👏🙌👐🤝🙏✋' })).status).toBe(200)
    expect((await create({ ...ANN, email: 'b@example.com', password: '👍👎👏🙌' })).status).toBe(
      400,
    )
  })

  test('a key gives no role that may do more than the key', async () => {
    for (const role of ['ADMIN', 'editor', 'VIEWER']) {
      const response = await create({ ...ANN, roles: ['x', role] }, '', ['users:manage'])
      expect(response.status).toBe(403)
      expect(response.body.error).toContain(role)
    }
    expect((await create({ ...ANN, roles: ['Clerk'] }, '', ['users:manage'])).status).toBe(200)
  })

  test('is noted in the audit log without secrets', async () => {
    const userId = await created({}, '?generatePassword=true')
    const [entry] = await deps.db.select().from(auditLog)
    expect(entry).toMatchObject({
      action: 'users.create',
      objectType: 'user',
      objectId: userId,
      actorType: 'api_key',
      details: { after: { email: ANN.email, roles: ANN.roles }, passwordGenerated: true },
    })
  })
})

describe('a mail', () => {
  test('is encrypted where it is stored, and so is no token readable', async () => {
    await created({}, '?generatePassword=true')
    const [mail] = await readInbox(deps)
    const [stored] = await deps.db.select().from(mails)
    expect(stored?.body).not.toContain('token')
    const [token] = await deps.db.select().from(userTokens)
    expect(token?.tokenHash).not.toBe(mail?.token)
    expect(token?.tokenHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('and account exist together or not at all', async () => {
    await deps.db.execute(
      sql`alter table engine.mails add constraint no_mail check ("to" <> 'ann@example.com')`,
    )
    const response = await create({ ...ANN, password: PASSWORD })
    await deps.db.execute(sql`alter table engine.mails drop constraint no_mail`)
    expect(response.status).toBe(500)
    expect(await find(ANN.email)).toBeUndefined()
  })
})

describe('changing a user', () => {
  const patch = (userId: string, body: unknown, scopes?: string[]) =>
    call(deps, user.PATCH, {
      method: 'PATCH',
      path: `/api/users/${userId}`,
      params: { userId },
      as: 'ADMIN',
      scopes,
      body,
    })

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
