import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { createLog } from '@/lib/log'
import { deliverMails } from '@/lib/mail/deliver-mails'
import { resendProvider } from '@/lib/mail-provider/resend'
import { Browser } from '@/lib/testing/browser'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { type FakeResend, startFakeResend } from '@/lib/testing/fake-resend'
import { readInbox } from '@/lib/testing/inbox'
import { hashPassword } from '@/lib/testing/password'
import * as keys from './api-keys/route'
import * as activate from './auth/activate-account/route'
import * as forget from './auth/forget-password/route'
import * as confirmRegistration from './auth/register/confirm/route'
import * as register from './auth/register/route'
import * as reset from './auth/reset-password/route'
import * as setup from './auth/setup/route'
import * as search from './entities/[entityName]/search/route'
import * as mailList from './mails/route'
import * as user from './users/[userId]/route'
import * as init from './users/init/route'
import * as password from './users/me/password/route'
import * as me from './users/me/route'
import * as list from './users/route'

/**
 * Secrets of every kind are planted and used, well and wrongly; then everything that was returned,
 * logged and stored is searched for them.
 */

const deps = currentDeps()
let fake: FakeResend

const canaries: Record<string, string> = {
  administrator: 'canary-admin-words',
  words: 'canary-given-words',
  wrong: 'canary-wrong-words',
  changed: 'canary-changed-words',
  reset: 'canary-reset-words',
  registered: 'canary-registered-words',
  refused: 'canary-x',
}
const responses: string[] = []
const logged: string[] = []
let admin: Browser

async function send(
  browser: Browser,
  handler: Handler,
  method: string,
  path: string,
  body?: unknown,
  params = {},
) {
  const response = await browser.call(handler, { method, path, body, params })
  // The cookie of the session is the one place where a secret belongs.
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
  responses.push(response.text, JSON.stringify(headers))
  return response
}
const post = (handler: Handler, path: string, body: unknown, browser = new Browser(deps)) =>
  send(browser, handler, 'POST', path, body)

beforeAll(async () => {
  fake = await startFakeResend()
  const log = createLog('trace', { write: (line) => void logged.push(line) })
  const mail = resendProvider('re_canary_of_the_provider', { baseUrl: fake.url })
  canaries.provider = 're_canary_of_the_provider'
  canaries.previous = 'canary-previous-secret-of-32-characters'
  const open = { REGISTRATION: 'open', REGISTRATION_ROLE: 'VIEWER' }
  const settings = { NEXTAUTH_SECRET_PREVIOUS: canaries.previous, ...open }
  Object.assign(await testDeps(settings), { log, mail })
  canaries.secret = deps.secret.current
  admin = new Browser(deps)
  await plant()
})
afterAll(() => fake.close())

async function plant(): Promise<void> {
  const email = 'ann@example.com'
  await post(setup.POST, '/api/auth/setup', { email, password: canaries.administrator })
  await admin.signIn(email, canaries.administrator ?? '')
  responses.push((await new Browser(deps).signIn(email, canaries.wrong ?? '')).text)
  await createUsers()
  await followLinks()
  await registerUser()
  await tryKeys()
  await failInside()
  await readEverything()
}

async function createUsers(): Promise<void> {
  const bob = { email: 'bob@example.com', password: canaries.words, roles: ['X'], profile: {} }
  const path = '/api/users/init'
  await post(init.POST, path, bob, admin)
  await post(init.POST, path, bob, admin)
  await post(init.POST, path, { ...bob, roles: [], password: canaries.refused, extra: 1 }, admin)
  const cat = { ...bob, email: 'cat@example.com' }
  await post(init.POST, `${path}?generatePassword=true`, cat, admin)
  for (const { text, token, to } of await readInbox(deps)) {
    canaries[`the link of ${to}`] = token
    const generated = /Your password: (\S+)/.exec(text)?.[1]
    if (generated) canaries.generated = generated
  }
}

async function followLinks(): Promise<void> {
  const [bob] = await readInbox(deps)
  await post(activate.POST, '/api/auth/activate-account', { token: bob?.token })
  await post(activate.POST, '/api/auth/activate-account', { token: bob?.token })
  await post(forget.POST, '/api/auth/forget-password', { email: 'bob@example.com' })
  const token = (await readInbox(deps)).at(-1)?.token ?? ''
  canaries['the link of the reset'] = token
  await post(reset.POST, '/api/auth/reset-password', { token, password: canaries.reset })
  const browser = new Browser(deps)
  await browser.signIn('bob@example.com', canaries.reset ?? '')
  const path = '/api/users/me/password'
  const change = { currentPassword: canaries.wrong, newPassword: canaries.changed }
  await send(browser, password.PUT, 'PUT', path, change)
  await send(browser, password.PUT, 'PUT', path, { ...change, currentPassword: canaries.reset })
}

async function registerUser(): Promise<void> {
  await post(register.POST, '/api/auth/register', { email: 'eve@example.com' })
  const token = (await readInbox(deps)).at(-1)?.token ?? ''
  canaries['the link of the registration'] = token
  const confirm = { token, password: canaries.registered }
  const path = '/api/auth/register/confirm'
  await post(confirmRegistration.POST, path, { ...confirm, extra: 1 })
  expect((await post(confirmRegistration.POST, path, confirm)).status).toBe(201)
  await post(confirmRegistration.POST, path, confirm)
}

async function tryKeys(): Promise<void> {
  const made = await admin.call(keys.POST, {
    method: 'POST',
    path: '/api/api-keys',
    body: { name: 'a' },
  })
  canaries.key = made.body.data[0].apiKey
  const browser = new Browser(deps, { headers: { 'x-engine-apikey': canaries.key ?? '' } })
  await send(browser, me.GET, 'GET', '/api/users/me')
  const wrong = new Browser(deps, { headers: { authorization: `Bearer ${canaries.key}x` } })
  await send(wrong, me.GET, 'GET', '/api/users/me')
}

/** An unexpected failure of the database: a 500, with all data in the statement. */
async function failInside(): Promise<void> {
  await deps.db.execute(
    sql`alter table engine.users add constraint no_dan check (email <> 'dan@example.com')`,
  )
  const dan = {
    email: 'dan@example.com',
    password: canaries.words,
    roles: ['X'],
    profile: { a: canaries.words },
  }
  const response = await post(init.POST, '/api/users/init', dan, admin)
  await deps.db.execute(sql`alter table engine.users drop constraint no_dan`)
  expect(response.status).toBe(500)
}

async function readEverything(): Promise<void> {
  fake.behaviours.push({ status: 500, message: 'No' }, { status: 403, message: 'No' })
  if (deps.mail) await deliverMails({ ...deps, mail: deps.mail })
  for (const entityName of ['EngineUsers', 'EngineEmails', 'EngineApiKeys', 'EngineAuditLog'])
    await send(
      admin,
      search.POST,
      'POST',
      '/api/entities',
      { pagination: { size: 1000 } },
      { entityName },
    )
  await send(admin, list.GET, 'GET', '/api/users')
  await send(admin, mailList.GET, 'GET', '/api/mails')
  const [row] = await deps.db.select().from(users)
  await send(admin, user.GET, 'GET', '/api/users/x', undefined, { userId: row?.id })
}

function expectNone(text: string): void {
  const found = Object.entries(canaries).filter(([, secret]) => text.includes(secret))
  expect(found.map(([name]) => name)).toEqual([])
}

test('the secrets are planted', async () => {
  expect(Object.keys(canaries)).toHaveLength(16)
  expect(Object.values(canaries).every((secret) => secret.length >= 8)).toBe(true)
  expect(responses.length).toBeGreaterThan(30)
  expect(await hashPassword('x')).toMatch(/^\$argon2id\$/)
})

test('no response contains one, nor a hash of one', () => {
  expectNone(responses.join('\n'))
  expect(responses.join('\n')).not.toMatch(/argon2|passwordHash|password_hash|[0-9a-f]{64}/)
})

test('no line of the log holds one', () => {
  const text = logged.join('')
  expect(text).toContain('request failed')
  expect(text).toContain('mail attempt')
  expectNone(text)
  expect(text).not.toMatch(/argon2|session-token/)
})

test('the database holds none in clear', async () => {
  const tables = await rows<{ name: string }>(
    deps.db,
    sql`select tablename as name from pg_tables where schemaname = 'engine'`,
  )
  const dump: string[] = []
  for (const { name } of tables) {
    const table = sql`engine.${sql.identifier(name)}`
    const found = await rows<{ text: string | null }>(
      deps.db,
      sql`select json_agg(t)::text as text from ${table} t`,
    )
    dump.push(found[0]?.text ?? '')
  }
  expect(dump.join('\n')).toContain('bob@example.com')
  expectNone(dump.join('\n'))
})
