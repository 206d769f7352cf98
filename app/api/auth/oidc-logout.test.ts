import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '@/lib/testing/browser'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { CLIENT } from '@/lib/testing/identity-provider'
import { call } from '@/lib/testing/request'
import * as logout from './oidc/[provider]/logout/route'
import {
  addUser,
  auditIn,
  newBrowser,
  settingsOf,
  signInAt,
  startProvider,
  who,
} from './testing/at-provider'

const provider = await startProvider()
afterAll(() => provider.close())
const deps = freshDeps(() => settingsOf(provider))

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const now = () => Math.floor(Date.now() / 1000)
const claimsOf = (more: JWTPayload = {}): JWTPayload => ({
  ...{ iss: provider.issuer, aud: CLIENT.id, iat: now(), exp: now() + 120, jti: 'x' },
  ...{ sub: 'ann-1', events: { [EVENT]: {} }, ...more },
})

beforeEach(async () => {
  provider.people = ['ann', 'bob'].map((name) => ({
    ...{ sub: `${name}-1`, email: `${name}@example.com`, email_verified: true },
  }))
  for (const { email = '' } of provider.people) await addUser(deps, email)
})

/** In a session at the provider. */
async function enter(sub: string, sid: string): Promise<Browser> {
  provider.faults = { claims: (claims) => ({ ...claims, sid }) }
  const browser = newBrowser(deps)
  expect(await signInAt(provider, browser, sub)).toBe('/')
  return browser
}

const send = async (token: string) =>
  call(deps, logout.POST, {
    ...{ method: 'POST', path: '/api/auth/oidc/keycloak/logout' },
    params: { provider: 'keycloak' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

const areIn = async (...browsers: Browser[]) =>
  Promise.all(browsers.map(async (browser) => (await who(browser)) !== null))

describe('signing out at the provider', () => {
  test('ends one session by its id there', async () => {
    const [one, other] = [await enter('ann-1', 's1'), await enter('ann-1', 's2')]
    expect((await send(await provider.sign(claimsOf({ sid: 's1' })))).status).toBe(200)
    expect(await areIn(one, other)).toEqual([false, true])
    const noted = (await auditIn(deps)).at(-1)
    expect(noted).toMatchObject({ action: 'users.end-sessions', details: { by: 'oidc:keycloak' } })
  })

  test('ends all sessions of the person, and no others', async () => {
    const browsers = [await enter('ann-1', 's1'), await enter('ann-1', 's2')]
    const bob = await enter('bob-1', 's3')
    expect((await send(await provider.sign(claimsOf()))).status).toBe(200)
    expect(await areIn(...browsers, bob)).toEqual([false, false, true])
  })

  test('ends no session that began after it, when its token is sent again', async () => {
    const token = await provider.sign(claimsOf({ iat: now() - 60 }))
    const browser = await enter('ann-1', 's1')
    expect((await send(token)).status).toBe(200)
    expect(await areIn(browser)).toEqual([true])
  })

  test('of somebody unknown is fine', async () => {
    expect((await send(await provider.sign(claimsOf({ sub: 'eve' })))).status).toBe(200)
  })
})

describe('signing out here', () => {
  const leave = async () => {
    const path = '/api/auth/oidc/keycloak/logout'
    const { status, headers } = await call(deps, logout.GET, {
      ...{ path, params: { provider: 'keycloak' } },
    })
    expect(status).toBe(302)
    return headers.get('location') ?? ''
  }

  test('leads to the provider and back, where its settings say so', async () => {
    expect(await leave()).toBe('/login')
    await testDeps(settingsOf(provider, { SIGN_OUT: 'provider' }))
    const { origin, searchParams } = new URL(await leave())
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: CLIENT.id,
      post_logout_redirect_uri: 'http://localhost:3000/login',
    })
  })

  test('leads to the sign-in page while the provider is away', async () => {
    const away = { ...settingsOf(provider, { SIGN_OUT: 'provider' }) }
    await testDeps({ ...away, OIDC_KEYCLOAK_ISSUER: 'http://127.0.0.1:9' })
    expect(await leave()).toBe('/login')
  })
})

test.each<[string, JWTPayload]>([
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another client', { aud: 'another' }],
  ['that has expired', { exp: now() - 120 }],
  ['that is old', { iat: now() - 3_600 }],
  ['that is an ID token', { nonce: 'x' }],
  ['without the event', { events: {} }],
  ['of no one', { sub: undefined }],
])('a logout token %s is refused', async (_, more) => {
  const browser = await enter('ann-1', 's1')
  expect(await send(await provider.sign(claimsOf(more)))).toMatchObject({
    status: 400,
    body: { error: 'The logout token is not valid' },
  })
  expect(await areIn(browser)).toEqual([true])
})

test('a logout token that the provider has not signed is refused', async () => {
  const browser = await enter('ann-1', 's1')
  const { privateKey } = await generateKeyPair('RS256')
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokens = [
    await new SignJWT(claimsOf()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
    await new SignJWT(claimsOf())
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(CLIENT.secret)),
    `${base64({ alg: 'none' })}.${base64(claimsOf())}.`,
    'canary',
    '',
  ]
  for (const token of tokens) expect((await send(token)).status).toBe(400)
  expect(await areIn(browser)).toEqual([true])
})
