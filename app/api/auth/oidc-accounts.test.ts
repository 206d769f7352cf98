import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { secondFactorRoles, sessions, users } from '@/lib/db/schema'
import { openCookie } from '@/lib/oidc/sealed-cookie'
import type { Browser } from '@/lib/testing/browser'
import { testDeps } from '@/lib/testing/deps'
import * as me from '../users/me/route'
import {
  ANN as ANNS_EMAIL,
  addUser as addAdministrator,
  addTotp,
  codeOf,
  deps,
  nextCode,
  PASSWORD,
  signedIn,
  statusOf,
} from '../users/me/testing/second-factor'
import {
  addUser,
  auditIn,
  linksIn,
  newBrowser,
  settingsOf,
  signInAt,
  startProvider,
  who,
} from './testing/at-provider'

const provider = await startProvider()
afterAll(() => provider.close())
const use = (more: Record<string, string> = {}) => testDeps(settingsOf(provider, more))

const ANN = { sub: 'ann-1', email: ANNS_EMAIL, email_verified: true }
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  provider.people = [ANN]
  provider.faults = {}
  await use()
})
afterEach(() => void vi.useRealTimers())

const enter = async (browser = newBrowser(deps)) => ({
  browser,
  location: await signInAt(provider, browser, 'ann-1'),
})
/** What the sign-in page shows after the provider. */
const stepOf = async (browser: Browser) => {
  const step = await openCookie(deps, 'step', new Headers({ cookie: browser.cookieHeader() }))
  if (!step) throw new Error('There is no second step')
  return step
}
const STEP = '/login?step=provider&next=%2F'
const rolesOf = async (email: string) => {
  const [user] = await deps.db.select().from(users).where(eq(users.email, email))
  return user?.roles
}

describe('an administrator', () => {
  beforeEach(() => addAdministrator())

  test('is linked after the password, and signs in without it from then on', async () => {
    const { browser, location } = await enter()
    expect(location).toBe(STEP)
    expect(await who(browser)).toBeNull()
    expect(await linksIn(deps)).toEqual([])
    const { ticket, methods, label } = await stepOf(browser)
    expect([methods, label]).toEqual([['password'], 'Keycloak'])
    const wrong = await browser.sendForm({ ticket, password: 'wrong horse' })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'This is not your password' } })
    expect((await browser.sendForm({ ticket, password: PASSWORD })).status).toBe(200)
    expect(await who(browser)).toMatchObject({ email: ANN.email })
    expect(await linksIn(deps)).toMatchObject([{ subject: 'ann-1' }])
    expect((await browser.sendForm({ ticket, password: PASSWORD })).status).toBe(401)
    expect((await enter()).location).toBe('/')
  })

  test('of a role in small letters is none the less one', async () => {
    await deps.db.update(users).set({ roles: ['Clerk', 'admin'] })
    expect((await enter()).location).toBe(STEP)
  })

  test('with a second factor is linked after it, even if the provider has checked one', async () => {
    await use({ SECOND_FACTOR: 'mfa' })
    await addAdministrator()
    const { secret } = await addTotp(await signedIn())
    nextCode()
    provider.faults = { claims: (claims) => ({ ...claims, amr: ['pwd', 'mfa'] }) }
    const { browser, location } = await enter()
    expect(location).toBe(STEP)
    const { ticket, methods } = await stepOf(browser)
    expect(methods).toEqual(['totp', 'recovery-code'])
    expect((await browser.sendForm({ ticket, password: PASSWORD })).status).toBe(401)
    expect((await browser.sendForm({ ticket, code: '000000' })).status).toBe(401)
    expect((await browser.sendForm({ ticket, code: codeOf(secret) })).status).toBe(200)
    expect(await statusOf(browser)).toBe(200)
    expect(await linksIn(deps)).toHaveLength(1)
    expect((await enter()).location).toBe('/')
  })

  test('without either is not linked', async () => {
    await deps.db.update(users).set({ passwordHash: null })
    expect((await enter()).location).toBe('/login?error=OidcUnconfirmed')
  })

  test.each([
    ['REQUIRED_ACTIVATION', 'OidcNotActive'],
    ['REQUIRED_RESET_PASSWORD', 'OidcReset'],
  ] as const)('who is invited (%s) is not linked before', async (status, code) => {
    await deps.db.update(users).set({ status })
    expect((await enter()).location).toBe(`/login?error=${code}`)
  })

  test('is told when another person of the provider was linked meanwhile', async () => {
    const { browser } = await enter()
    const { ticket } = await stepOf(browser)
    provider.people = [{ ...ANN, sub: 'ann-2' }]
    const other = newBrowser(deps)
    await signInAt(provider, other, 'ann-2')
    const { ticket: first } = await stepOf(other)
    expect((await other.sendForm({ ticket: first, password: PASSWORD })).status).toBe(200)
    expect(await browser.sendForm({ ticket, password: PASSWORD })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('belongs to another user of this provider') },
    })
    expect(await linksIn(deps)).toMatchObject([{ subject: 'ann-2' }])
  })

  test('whose password is guessed is not linked', async () => {
    const { browser } = await enter()
    const { ticket } = await stepOf(browser)
    for (let n = 1; n <= 10; n++) await browser.sendForm({ ticket, password: `guess ${n}` })
    expect((await browser.sendForm({ ticket, password: PASSWORD })).status).toBe(429)
    expect(await linksIn(deps)).toEqual([])
  })
})

describe('the second factor', () => {
  test('of this server is asked for after the provider', async () => {
    await addAdministrator(ANN.email, { roles: ['VIEWER'] })
    const { secret } = await addTotp(await signedIn())
    nextCode()
    const { browser } = await enter()
    const { ticket } = await stepOf(browser)
    expect((await browser.sendForm({ ticket, code: codeOf(secret) })).status).toBe(200)
    const [row] = await deps.db
      .select()
      .from(sessions)
      .where(eq(sessions.signedInBy, 'oidc:keycloak'))
    expect(row?.strong).toBe(true)
    const noted = (await auditIn(deps)).at(-1)
    expect(noted?.details).toEqual({ secondFactor: 'totp', by: 'oidc:keycloak' })
  })

  test.each([
    ['amr', ['pwd', 'otp']],
    ['acr', 'gold'],
  ])('of the provider counts by its %s', async (claim, value) => {
    await use({ SECOND_FACTOR: 'otp,gold' })
    await addAdministrator(ANN.email, { roles: ['VIEWER'] })
    await addTotp(await signedIn())
    await deps.db.insert(secondFactorRoles).values({ role: 'viewer' })
    expect((await enter()).location).toBe(STEP)
    provider.faults = { claims: (claims) => ({ ...claims, [claim]: value }) }
    const { browser, location } = await enter()
    expect(location).toBe('/')
    expect(await statusOf(browser)).toBe(200)
  })

  test('of the provider counts where it is signed alone', async () => {
    await use({ SECOND_FACTOR: 'otp' })
    await addAdministrator(ANN.email, { roles: ['VIEWER'] })
    await addTotp(await signedIn())
    const body = JSON.stringify({ ...ANN, amr: ['otp'], acr: 'otp' })
    provider.faults = {
      claims: ({ email_verified: _, ...claims }) => claims,
      answer: { path: '/me', body },
    }
    expect((await enter()).location).toBe(STEP)
  })

  test('that a role requires is that of the provider, else it is set up', async () => {
    await use({ SECOND_FACTOR: 'otp' })
    await addUser(deps, ANN.email)
    await deps.db.insert(secondFactorRoles).values({ role: 'VIEWER' })
    const { browser } = await enter()
    expect(await who(browser)).toMatchObject({ mustSetUpSecondFactor: true })
    provider.faults = { claims: (claims) => ({ ...claims, amr: ['otp'] }) }
    const { browser: strong } = await enter()
    expect(await who(strong)).toMatchObject({ mustSetUpSecondFactor: false })
  })
})

describe('roles of the provider', () => {
  const MAP = '{"admins":"ADMIN","staff-*":["EDITOR","Clerk"]}'

  test('are those of each sign-in, and end the sessions when they change', async () => {
    await use({ ROLES_MAP: MAP, ROLES_SOURCE: 'provider' })
    await addUser(deps, 'other@example.com', { roles: ['ADMIN'] })
    await addUser(deps, ANN.email)
    provider.people = [{ ...ANN, groups: ['staff-berlin', 'x', 'staff-bonn'] }]
    const { browser } = await enter()
    expect(await who(browser)).toMatchObject({ roles: ['EDITOR', 'Clerk'] })
    await enter()
    expect(await statusOf(browser)).toBe(200)
    provider.people = [{ ...ANN, groups: ['admins', 'staff'] }]
    const { browser: later } = await enter()
    expect(await statusOf(browser)).toBe(401)
    expect(await who(later)).toMatchObject({ roles: ['ADMIN'] })
    const changed = (await auditIn(deps)).filter(({ action }) => action === 'users.update')
    expect(changed.map(({ details }) => details)).toMatchObject([
      { before: { roles: ['VIEWER'] }, after: { roles: ['EDITOR', 'Clerk'] }, by: 'oidc:keycloak' },
      { before: { roles: ['EDITOR', 'Clerk'] }, after: { roles: ['ADMIN'] } },
    ])
  })

  test('that are none any more end the sessions, and the next is refused', async () => {
    await use({ ROLES_MAP: MAP, ROLES_SOURCE: 'provider' })
    await addUser(deps, 'other@example.com', { roles: ['ADMIN'] })
    await addUser(deps, ANN.email)
    provider.people = [{ ...ANN, groups: ['admins'] }]
    const { browser } = await enter()
    provider.people = [ANN]
    expect((await enter()).location).toBe('/login?error=OidcNoRole')
    expect(await statusOf(browser)).toBe(401)
    expect(await rolesOf(ANN.email)).toEqual([])
  })

  test('leave the last administrator one', async () => {
    await use({ ROLES_MAP: MAP, ROLES_SOURCE: 'provider' })
    await addUser(deps, ANN.email)
    provider.people = [{ ...ANN, groups: ['admins'] }]
    await enter()
    provider.people = [{ ...ANN, groups: ['staff-1'] }]
    expect((await enter()).location).toBe('/')
    expect(await rolesOf(ANN.email)).toEqual(['ADMIN'])
    provider.people = [ANN]
    expect((await enter()).location).toBe('/')
    expect(await rolesOf(ANN.email)).toEqual(['ADMIN'])
  })

  test('are given to new users alone where it is not their source', async () => {
    await use({ ROLES_MAP: MAP, NEW_USERS: 'VIEWER' })
    provider.people = [{ ...ANN, groups: ['staff-1'] }]
    await enter()
    expect(await rolesOf(ANN.email)).toEqual(['EDITOR', 'Clerk'])
    provider.people = [{ ...ANN, groups: ['admins'] }]
    await enter()
    expect(await rolesOf(ANN.email)).toEqual(['EDITOR', 'Clerk'])
  })

  test('may be within a claim, or come with the second request', async () => {
    await use({ ROLES_MAP: MAP, ROLES_SOURCE: 'provider', ROLES_CLAIM: 'realm_access.roles' })
    await addUser(deps, ANN.email)
    const access = { realm_access: { roles: ['staff-1'] } }
    provider.faults = { claims: (claims) => ({ ...claims, ...access }) }
    await enter()
    expect(await rolesOf(ANN.email)).toEqual(['EDITOR', 'Clerk'])
  })
})

describe('a user', () => {
  test('without an account is made with the default role, where the provider may', async () => {
    await use({ NEW_USERS: 'VIEWER' })
    const { browser } = await enter()
    expect(await who(browser)).toMatchObject({ email: ANN.email, roles: ['VIEWER'] })
    const [user] = await deps.db.select().from(users)
    expect(user).toMatchObject({ status: 'ACTIVATED', passwordHash: null })
    const noted = await auditIn(deps)
    expect(noted.map(({ action }) => action)).toEqual([
      'users.create',
      'users.link-identity',
      'users.sign-in',
    ])
    expect((await enter()).location).toBe('/')
    expect(await deps.db.select().from(users)).toHaveLength(1)
  })

  test('is made once by many sign-ins at the same time', async () => {
    await use({ NEW_USERS: 'VIEWER' })
    const all = await Promise.all(Array.from({ length: 5 }, () => enter()))
    expect(all.map(({ location }) => location)).toEqual(Array(5).fill('/'))
    expect(await deps.db.select().from(users)).toHaveLength(1)
    expect(await linksIn(deps)).toHaveLength(1)
  })

  test.each([
    ['REQUIRED_ACTIVATION', 'a hash', '/'],
    ['REQUIRED_RESET_PASSWORD', null, '/'],
    ['REQUIRED_RESET_PASSWORD', 'a hash', '/login?error=OidcReset'],
    ['DISABLED', null, '/login?error=OidcDisabled'],
  ] as const)(
    'who is invited (%s, password: %s) is led to %s',
    async (status, passwordHash, to) => {
      await addUser(deps, ANN.email, { status, passwordHash, mustChangePassword: true })
      const { browser, location } = await enter()
      expect(location).toBe(to)
      expect(await who(browser)).toEqual(
        to === '/' ? expect.objectContaining({ mustChangePassword: false }) : null,
      )
    },
  )

  test('who is invited with a password has none once the provider has activated the account', async () => {
    await addAdministrator(ANN.email, { roles: ['VIEWER'], status: 'REQUIRED_ACTIVATION' })
    expect((await enter()).location).toBe('/')
    expect((await newBrowser(deps).signIn(ANN.email, PASSWORD)).status).toBe(401)
    expect((await auditIn(deps)).map(({ action }) => action)).toContain('users.activate')
  })

  test('who is active keeps the password', async () => {
    await addAdministrator(ANN.email, { roles: ['VIEWER'] })
    expect((await enter()).location).toBe('/')
    expect((await newBrowser(deps).signIn(ANN.email, PASSWORD)).status).toBe(200)
  })

  test('whose claims come with the second request alone', async () => {
    const thin = await startProvider({ conformIdTokenClaims: true })
    thin.people = [{ ...ANN, groups: ['staff-1'] }]
    await testDeps(settingsOf(thin))
    await addUser(deps, ANN.email)
    expect(await signInAt(thin, newBrowser(deps), 'ann-1')).toBe('/')
    expect(thin.asked).toContain('/me')
    thin.close()
  })
})

describe('where passwords are off', () => {
  beforeEach(async () => {
    await use({ PASSWORD_SIGN_IN: 'false', BREAK_GLASS_ADMIN: 'Root@example.com' })
    await addAdministrator()
    await addAdministrator('root@example.com')
  })

  test('they are refused in the same words, but for the one administrator', async () => {
    for (const email of [ANN.email, 'unknown@example.com'])
      expect(await newBrowser(deps).signIn(email, PASSWORD)).toMatchObject({
        status: 403,
        body: { error: 'Passwords and passkeys are off here; sign in by a provider' },
      })
    expect(await auditIn(deps)).toEqual([])
    const browser = newBrowser(deps)
    expect((await browser.signIn('root@example.com ', PASSWORD)).status).toBe(200)
    expect((await browser.call(me.GET, { path: '/api/users/me' })).status).toBe(200)
  })

  test('an administrator is still linked by one', async () => {
    const { browser } = await enter()
    const { ticket } = await stepOf(browser)
    expect((await browser.sendForm({ ticket, password: PASSWORD })).status).toBe(200)
  })
})
