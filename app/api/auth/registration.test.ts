import { beforeEach, describe, expect, test } from 'vitest'
import { auditLog, users } from '@/lib/db/schema'
import { sealRegistration } from '@/lib/registration/token'
import { Browser } from '@/lib/testing/browser'
import { testDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'
import type { UserStatus } from '@/lib/users/status'
import * as me from '../users/me/route'
import * as activate from './activate-account/route'
import {
  ANN,
  addAdministrator,
  ask,
  confirm,
  DOMAIN,
  deps,
  INVITED,
  mailsTo,
  OPEN,
  PASSWORD,
  templates,
  tokenFor,
  userOf,
} from './testing/registrations'

const HASH = await hashPassword(PASSWORD)
const addUser = (status: UserStatus, email = ANN) =>
  deps.db.insert(users).values({ email, passwordHash: HASH, roles: ['X'], status })
const use = async (settings: Record<string, string>) => {
  await testDeps(settings)
  await addAdministrator()
}
const withoutTime = (text: string) => text.replace(/"timestamp":\d+/, '')
const lasting = (headers: Headers) => {
  const all = Object.fromEntries(headers)
  return { ...all, 'x-request-id': '', 'server-timing': '' }
}

test('registration is closed before there is an administrator', async () => {
  const response = await ask(ANN)
  expect([response.status, await templates()]).toEqual([403, []])
  // Of a database before, with the same secret: the user would be in the way of a backup.
  const token = await sealRegistration(deps, ANN)
  expect((await confirm(token)).status).toBe(403)
  await addAdministrator()
  expect((await confirm(token)).status).toBe(201)
})

describe('asking for an account', () => {
  beforeEach(() => use(OPEN))

  test.each<Record<string, string>>([{}, { REGISTRATION_ROLE: 'VIEWER' }])(
    'is refused while it is off',
    async (settings) => {
      await use(settings)
      await addUser('ACTIVATED')
      for (const email of [ANN, 'unknown@example.com']) {
        const { status, body } = await ask(email)
        expect([status, body.error]).toEqual([403, expect.stringContaining('administrators')])
      }
      expect(await templates()).toEqual([])
    },
  )

  test.each<[string, Record<string, string>, (string | null)[]]>([
    ['open', OPEN, ['registration', 'account-exists', 'activation', 'reset-password', null]],
    ['a domain', DOMAIN, ['registration', 'account-exists', 'activation', 'reset-password', null]],
    ['invited', INVITED, [null, null, 'activation', 'reset-password', null]],
  ])(
    'where it is %s, each address gets the mail that suits it, and the same answer',
    async (_, settings, expected) => {
      await use(settings)
      const statuses = [
        null,
        'ACTIVATED',
        'REQUIRED_ACTIVATION',
        'REQUIRED_RESET_PASSWORD',
        'DISABLED',
      ] as const
      const emails = statuses.map((_, n) => `person-${n}@example.com`)
      for (const [n, status] of statuses.entries()) if (status) await addUser(status, emails[n])
      const before = await deps.db.select().from(users)
      const answers = []
      for (const email of emails) answers.push(await ask(` ${email.toUpperCase()}`))
      for (const { text, headers, status } of answers) {
        expect(status).toBe(200)
        expect(withoutTime(text)).toBe(withoutTime(answers[0]?.text ?? ''))
        expect(lasting(headers)).toEqual(lasting(answers[0]?.headers ?? new Headers()))
      }
      const sent = await Promise.all(
        emails.map(async (email) => (await mailsTo(email))[0]?.template),
      )
      expect(sent).toEqual(expected.map((name) => name ?? undefined))
      expect(await deps.db.select().from(users)).toEqual(before)
    },
  )

  test('is limited for each mailbox and network, whether there is an account or not', async () => {
    await addUser('ACTIVATED')
    const limited: unknown[] = []
    for (const name of ['ann', 'unknown']) {
      const at = (n: number) => new Browser(deps, { address: `192.0.2.${n}` })
      for (let n = 0; n < 3; n++) expect((await ask(`${name}@example.com`, at(n))).status).toBe(200)
      const { status, body, headers } = await ask(`${name.toUpperCase()}@EXAMPLE.com`, at(9))
      limited.push([status, body.error, Number(headers.get('retry-after')) > 3500])
    }
    expect(limited[0]).toEqual([429, expect.stringContaining('Too many'), true])
    expect(limited[1]).toEqual(limited[0])
    expect(await templates()).toHaveLength(6)
    const network = (n: number) => new Browser(deps, { address: `2001:db8::${n}` })
    const tried = Array.from({ length: 61 }, (_, n) => n)
    const statuses = []
    for (const n of tried) statuses.push((await ask(`p${n}@example.org`, network(n))).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
  })

  test.each([
    'a@evil.com@example.com',
    '"a@evil.com"@example.com',
    'a@example.com.',
    'a@exаmple.com',
    'a@ｅxample.com',
    'a@example.com\r\nBcc: b@evil.com',
    'a@evil.com,b@example.com',
    'a@evil.com b@example.com',
    'a@evil.com%00@example.com',
    '',
    7,
    null,
  ])('the address %j is none', async (email) => {
    await use(DOMAIN)
    const { status, body } = await ask(email as string)
    expect([status, body.validations?.[0]?.field]).toEqual([400, 'email'])
    expect(await templates()).toEqual([])
  })

  test('where it is for domains, only addresses in them get one', async () => {
    await use(DOMAIN)
    const out = ['a@evil.com', 'a@sub.example.com', 'a@notexample.com', 'a@example.com.evil.com']
    for (const email of [...out, 'example.com@evil.com', 'a@xn--exmple-4nf.com'])
      expect((await ask(email)).status).toBe(200)
    expect(await templates()).toEqual([])
    for (const email of ['Ann+x@Example.COM', 'b@partner.example']) {
      expect((await confirm(await tokenFor(email))).status).toBe(201)
      expect(await userOf(email)).toMatchObject({ roles: ['VIEWER'] })
    }
  })

  test('builds links from APP_URL, whatever the Host header says', async () => {
    await use({ ...OPEN, APP_URL: 'https://engine.example.com/' })
    await addUser('ACTIVATED', 'bob@example.com')
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    for (const email of [ANN, 'bob@example.com']) await ask(email, new Browser(deps, { headers }))
    const [made] = await mailsTo(ANN)
    expect(made?.text).toContain('https://engine.example.com/register/confirm?token=ey')
    expect((await mailsTo('bob@example.com'))[0]?.text).toContain(
      'https://engine.example.com/login',
    )
    expect(JSON.stringify([made, await mailsTo('bob@example.com')])).not.toContain('evil')
  })

  test('is noted without the address of a stranger and without secrets', async () => {
    const token = await tokenFor(ANN)
    await confirm(token)
    const noted = await deps.db.select().from(auditLog)
    expect(noted.map(({ action }) => action)).toEqual(['users.register', 'users.create'])
    expect(noted[0]).toMatchObject({ actorType: 'anonymous', objectId: null })
    expect(JSON.stringify(noted[0])).not.toContain('ann')
    expect(noted[1]?.details).toEqual({
      after: { email: ANN, roles: ['VIEWER'], status: 'ACTIVATED' },
      by: 'registration',
    })
    expect(JSON.stringify(noted)).not.toMatch(/correct horse|argon|eyJ/)
  })

  test('sends an invitation that works', async () => {
    await use(INVITED)
    await addUser('REQUIRED_ACTIVATION')
    const token = await tokenFor(ANN)
    const request = { method: 'POST', path: '/api/auth/activate-account', body: { token } }
    expect((await new Browser(deps).call(activate.POST, request)).status).toBe(200)
    expect((await new Browser(deps).signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('and its confirmation are refused from pages of other sites', async () => {
    const token = await tokenFor(ANN)
    const foreign = () => new Browser(deps, { headers: { 'sec-fetch-site': 'cross-site' } })
    const answers = [await ask('eve@example.com', foreign()), await confirm(token, {}, foreign())]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect(await userOf(ANN)).toBeUndefined()
  })
})

test('who registers signs in with the role, and with no other way in', async () => {
  await use(OPEN)
  const browser = new Browser(deps)
  const response = await confirm(await tokenFor('Ann@Example.com'), {}, browser)
  expect(response.body.data).toEqual([
    { userId: expect.any(String), email: 'Ann@Example.com', status: 'ACTIVATED' },
  ])
  // A link does not sign in: its sender would choose the account.
  expect(response.headers.get('set-cookie')).toBeNull()
  expect((await browser.signIn(ANN, PASSWORD)).status).toBe(200)
  const { body } = await browser.call(me.GET, { path: '/api/users/me' })
  expect(body.data[0]).toMatchObject({ roles: ['VIEWER'], profile: {}, mustChangePassword: false })
})
