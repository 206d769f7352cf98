import { EventEmitter, once } from 'node:events'
import { sql } from 'drizzle-orm'
import type { JWTPayload } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { providerSessions, sessions } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { checkSession } from '@/lib/oidc/check-session'
import { encryptAgain } from '@/lib/secrets/encrypt-again'
import type { Browser } from '@/lib/testing/browser'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { secondInstance } from '@/lib/testing/second-instance'
import { sweepExpired } from '@/lib/users/sweep-expired'
import {
  addUser,
  auditIn,
  newBrowser,
  settingsOf,
  signInAt,
  startProvider,
  who,
} from './testing/at-provider'

const provider = await startProvider({
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
})
afterAll(() => provider.close())

const ROLES = {
  ROLES_MAP: '{"staff":"VIEWER","editors":"EDITOR"}',
  ROLES_SOURCE: 'provider',
}
const ANN = { sub: 'ann-1', email: 'ann@example.com', email_verified: true, groups: ['staff'] }

beforeEach(() => {
  provider.people = [ANN]
  provider.faults = {}
  provider.disabled.clear()
})

const keptIn = ({ db }: Deps) => db.select().from(providerSessions)
const refreshes = () => provider.asked.filter((path) => path === '/token').length

/** As if this much of `OIDC_RECHECK` were over. */
const pass = ({ db }: Deps, seconds: number) =>
  db.execute(sql`update ${providerSessions} set
    check_at = check_at - make_interval(secs => ${seconds}), ends_at = ends_at - make_interval(secs => ${seconds})`)

/** What the database says now, not what was said a moment ago: any change of a user empties what is remembered. */
async function seen(deps: Deps, browser: Browser) {
  await deps.db.execute(sql`update engine.users set roles = roles`)
  return who(browser)
}

const until = (check: () => Promise<unknown>) => expect.poll(check, { timeout: 10_000 })

describe('a session by a provider that decides the roles', () => {
  const deps = freshDeps(() => settingsOf(provider, ROLES))
  beforeEach(() => addUser(deps, 'ann@example.com'))

  async function signedIn(): Promise<Browser> {
    const browser = newBrowser(deps)
    expect(await signInAt(provider, browser, 'ann-1')).toBe('/')
    return browser
  }

  test('is confirmed in the background once half of the time is over, and goes on', async () => {
    const ann = await signedIn()
    const asked = refreshes()
    await pass(deps, 29 * 60)
    expect(await seen(deps, ann)).toMatchObject({ email: 'ann@example.com' })
    expect(refreshes()).toBe(asked)
    await pass(deps, 2 * 60)
    expect(await seen(deps, ann)).toMatchObject({ email: 'ann@example.com' })
    await until(async () => (await keptIn(deps))[0]?.endsAt.getTime()).toBeGreaterThan(
      Date.now() + 55 * 60_000,
    )
    expect(refreshes()).toBe(asked + 1)
    // The token that was given instead is the one that is used.
    await pass(deps, 31 * 60)
    await seen(deps, ann)
    await until(async () => (await keptIn(deps))[0]?.endsAt.getTime()).toBeGreaterThan(
      Date.now() + 55 * 60_000,
    )
    expect(refreshes()).toBe(asked + 2)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
  })

  test('ends when the roles at the provider are others; the next one has them', async () => {
    const ann = await signedIn()
    provider.people = [{ ...ANN, groups: ['editors'] }]
    await pass(deps, 31 * 60)
    await seen(deps, ann)
    await until(() => seen(deps, ann)).toBeNull()
    expect((await auditIn(deps)).at(-1)).toMatchObject({
      action: 'users.update',
      actorType: 'system',
      details: { before: { roles: ['VIEWER'] }, after: { roles: ['EDITOR'] }, by: 'oidc:keycloak' },
    })
    expect(await seen(deps, await signedIn())).toMatchObject({ roles: ['EDITOR'] })
  })

  test('ends for a person without any role there, who then has none here', async () => {
    const ann = await signedIn()
    provider.people = [{ ...ANN, groups: [] }]
    await pass(deps, 31 * 60)
    await seen(deps, ann)
    await until(() => seen(deps, ann)).toBeNull()
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/login?error=OidcNoRole')
  })

  test('ends for a person who is disabled there', async () => {
    const [ann, elsewhere] = [await signedIn(), await signedIn()]
    provider.disabled.add('ann-1')
    await pass(deps, 31 * 60)
    await seen(deps, ann)
    await until(() => seen(deps, ann)).toBeNull()
    expect((await auditIn(deps)).at(-1)).toMatchObject({
      action: 'users.end-sessions',
      details: { by: 'oidc:keycloak' },
    })
    await seen(deps, elsewhere)
    await until(() => seen(deps, elsewhere)).toBeNull()
  })

  test('goes on while the provider is away, and is refused from the end of the time until it is back', async () => {
    const ann = await signedIn()
    provider.faults = { answer: { path: '/token', status: 503, body: 'no' } }
    await pass(deps, 31 * 60)
    for (const _ of [1, 2]) expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
    await pass(deps, 30 * 60)
    // The answer takes the cookie from the page that asks.
    expect(await seen(deps, ann.copy())).toBeNull()
    provider.faults = {}
    await pass(deps, 15)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
  })

  test('waits for the provider when it was not used for longer than the time', async () => {
    const ann = await signedIn()
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
    provider.disabled.add('ann-1')
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann)).toBeNull()
  })

  test('is asked for once by many requests at the same time', async () => {
    const ann = await signedIn()
    const asked = refreshes()
    await pass(deps, 90 * 60)
    await deps.db.execute(sql`update engine.users set roles = roles`)
    const all = await Promise.all(Array.from({ length: 12 }, () => who(ann)))
    expect(all.every((user) => user !== null)).toBe(true)
    expect(refreshes()).toBe(asked + 1)
  })

  test('ends when what is signed is about another person', async () => {
    const ann = await signedIn()
    await addUser(deps, 'eve@example.com')
    provider.people.push({ ...ANN, sub: 'eve-1', email: 'eve@example.com' })
    expect(await signInAt(provider, newBrowser(deps), 'eve-1')).toBe('/')
    provider.faults = { claims: (claims) => ({ ...claims, sub: 'eve-1' }) }
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann)).toBeNull()
  })

  const withoutRoles = ({ groups: _, ...claims }: JWTPayload) => claims

  test.each([
    ['the keys that sign it', { answer: { path: '/jwks', status: 503, body: 'no' } }],
    ['the rest of it', { claims: withoutRoles, answer: { path: '/me', status: 503, body: 'no' } }],
    ['its time', { claims: (claims: object) => ({ ...claims, exp: 1 }) }],
  ])('goes on with the token of an answer that failed by %s', async (_, faults) => {
    const ann = await signedIn()
    provider.faults = faults
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann.copy())).toBeNull()
    provider.faults = {}
    await pass(deps, 15)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
  })

  /** A check to which the provider has answered, though the answer did not arrive. */
  async function answered() {
    const [{ sessionId } = { sessionId: '' }] = await keptIn(deps)
    const events = new EventEmitter()
    const [said, arrives] = [once(events, 'said'), once(events, 'arrives')]
    const sign = async (claims: JWTPayload) => {
      events.emit('said')
      await arrives
      return provider.sign(claims)
    }
    provider.faults = { sign }
    await pass(deps, 31 * 60)
    const ended = checkSession(deps, sessionId)
    await said
    provider.faults = {}
    const arrive = () => {
      events.emit('arrives')
      return ended
    }
    return { sessionId, arrive }
  }

  test('is asked for once while the answer takes long: a token that is used twice ends it', async () => {
    const ann = await signedIn()
    const { sessionId, arrive } = await answered()
    await pass(deps, 45)
    expect(await checkSession(deps, sessionId)).toBe(false)
    await arrive()
    await pass(deps, 31 * 60)
    expect(await checkSession(deps, sessionId)).toBe(true)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
  })

  test('gives no roles by an answer that arrives after those of a later one', async () => {
    await signedIn()
    const { arrive } = await answered()
    provider.people = [{ ...ANN, groups: ['editors'] }]
    const later = await signedIn()
    await arrive()
    expect(await seen(deps, later)).toMatchObject({ roles: ['EDITOR'] })
  })

  test.each([
    ['of another key', { sign: async () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4tMSJ9.' }],
    ['for another client', { claims: (claims: object) => ({ ...claims, aud: 'another' }) }],
    ['of another issuer', { claims: (claims: object) => ({ ...claims, iss: 'https://a.org' }) }],
    ['that has expired', { claims: (claims: object) => ({ ...claims, exp: 1 }) }],
  ])('is not confirmed by an ID token %s', async (_, faults) => {
    const ann = await signedIn()
    provider.faults = faults
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann)).toBeNull()
    expect((await keptIn(deps))[0]?.endsAt.getTime()).toBeLessThan(Date.now())
  })

  test('keeps no token in clear, follows a new secret, and forgets it after the sign-out', async () => {
    const ann = await signedIn()
    const [{ refreshToken: before } = { refreshToken: '' }] = await keptIn(deps)
    expect(before).toMatch(/^[A-Za-z0-9+/=]{60,}$/)
    deps.secret = {
      current: 'another secret of at least 32 characters',
      previous: deps.secret.current,
    }
    expect(await encryptAgain(deps)).toBeGreaterThan(0)
    expect((await keptIn(deps))[0]?.refreshToken).not.toBe(before)
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
    await ann.signOut()
    await sweepExpired(deps)
    expect(await keptIn(deps)).toEqual([])
  })

  test('ends when nothing reads its token any more', async () => {
    const ann = await signedIn()
    await deps.db.update(providerSessions).set({ refreshToken: 'damaged' })
    await pass(deps, 90 * 60)
    expect(await seen(deps, ann)).toBeNull()
  })
})

describe('without refresh tokens', () => {
  const deps = freshDeps(() => settingsOf(provider, ROLES))

  test('a session lasts as long as the roles count, and then ends', async () => {
    await addUser(deps, 'ann@example.com')
    const ann = newBrowser(deps)
    expect(await signInAt(provider, ann, 'ann-1')).toBe('/')
    await deps.db.update(providerSessions).set({ refreshToken: null, checkAt: sql`ends_at` })
    await pass(deps, 59 * 60)
    expect(await seen(deps, ann)).toMatchObject({ roles: ['VIEWER'] })
    await pass(deps, 60)
    expect(await seen(deps, ann)).toBeNull()
    expect((await deps.db.select().from(sessions))[0]).toMatchObject({ version: 0 })
  })
})

describe('with OIDC_RECHECK=off', () => {
  const deps = freshDeps(() => settingsOf(provider, { ...ROLES, OIDC_RECHECK: 'off' }))

  test('nothing is kept', async () => {
    await addUser(deps, 'ann@example.com')
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
    expect(await keptIn(deps)).toEqual([])
  })
})

describe.runIf(testsOnPostgres())('two instances', () => {
  const deps = freshDeps(() => settingsOf(provider, ROLES))

  test('ask the provider once, and neither refuses', async () => {
    await addUser(deps, 'ann@example.com')
    const ann = newBrowser(deps)
    await signInAt(provider, ann, 'ann-1')
    const { other, close } = await secondInstance(deps)
    const there = ann.at(other)
    const asked = refreshes()
    provider.faults = { slow: { path: '/token', ms: 500 } }
    await pass(deps, 90 * 60)
    await deps.db.execute(sql`update engine.users set roles = roles`)
    const both = await Promise.all([who(ann), who(there)])
    expect(both).toMatchObject([{ roles: ['VIEWER'] }, { roles: ['VIEWER'] }])
    expect(refreshes()).toBe(asked + 1)
    await close()
  })
})
