import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sessions, users } from '@/lib/db/schema'
import { createLog } from '@/lib/log'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import {
  addUser,
  arrive,
  auditIn,
  begin,
  linksIn,
  newBrowser,
  settingsOf,
  signInAt,
  startProvider,
  who,
} from './testing/at-provider'

const provider = await startProvider()
afterAll(() => provider.close())
const deps = freshDeps(() => settingsOf(provider))

const ANN = { sub: 'ann-1', email: 'ann@example.com', email_verified: true }
beforeEach(async () => {
  provider.people = [ANN]
  provider.faults = {}
  await addUser(deps, ANN.email)
})

/** What the log says of refusals. */
let lines: string[] = []
beforeEach(() => {
  lines = []
  deps.log = createLog('warn', { write: (line) => void lines.push(line) })
})
const logged = () => lines.map((line) => JSON.parse(line)).at(-1)

/** Nothing began, and nothing was linked. */
async function expectNothing(): Promise<void> {
  expect(await deps.db.select().from(sessions)).toEqual([])
  expect(await linksIn(deps)).toEqual([])
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)
const stranger = await generateKeyPair('RS256', { extractable: true })
const byStranger = (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(stranger.privateKey)

describe('an ID token is refused', () => {
  test.each<[string, typeof provider.faults, string]>([
    ['of another issuer', { claims: (all) => ({ ...all, iss: 'https://evil.example' }) }, '"iss"'],
    ['for another client', { claims: (all) => ({ ...all, aud: 'another' }) }, '"aud"'],
    [
      'for several clients',
      { claims: (all) => ({ ...all, aud: ['engine', 'x'], azp: 'x' }) },
      '"azp"',
    ],
    ['with another nonce', { claims: (all) => ({ ...all, nonce: 'another' }) }, '"nonce"'],
    [
      'without a nonce',
      { claims: ({ nonce: _, ...rest }) => rest },
      '"nonce" (nonce) claim missing',
    ],
    [
      'that has expired',
      { claims: (all) => ({ ...all, exp: now() - 90, iat: now() - 200 }) },
      'past current',
    ],
    [
      'without an expiry',
      { claims: ({ exp: _, ...rest }) => rest },
      '"exp" (expiration time) claim missing',
    ],
    ['that is not valid yet', { claims: (all) => ({ ...all, nbf: now() + 90 }) }, '"nbf"'],
    ['without a subject', { claims: ({ sub: _, ...rest }) => rest }, '"sub"'],
    ['that is unsigned', { sign: (all) => `${base64({ alg: 'none' })}.${base64(all)}.` }, '"alg"'],
    [
      'without any signature',
      { sign: (all) => `${base64({ alg: 'RS256' })}.${base64(all)}.` },
      'signature',
    ],
    ['signed by a stranger', { sign: byStranger }, 'signature'],
    [
      'signed with the secret of the client',
      {
        sign: (all) =>
          new SignJWT(all)
            .setProtectedHeader({ alg: 'HS256' })
            .sign(Buffer.from('a secret of the client, and 32 of it')),
      },
      '"alg"',
    ],
    [
      'signed by a key that it brings',
      {
        sign: async (all) =>
          new SignJWT(all)
            .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(stranger.publicKey) })
            .sign(stranger.privateKey),
      },
      'signature',
    ],
    ['that is no token', { sign: () => 'canary' }, 'Invalid JWT'],
  ])('%s', async (_, faults, reason) => {
    provider.faults = faults
    const browser = newBrowser(deps)
    expect(await signInAt(provider, browser, 'ann-1')).toBe('/login?error=OidcInvalid')
    expect(logged()).toMatchObject({ provider: 'keycloak', error: expect.stringContaining(reason) })
    expect(lines.join()).not.toMatch(/canary|eyJ/)
    expect(await who(browser)).toBeNull()
    await expectNothing()
  })

  test.each(['none', 'HS256'])(
    'that needs no key of the provider, if it offers %s',
    async (alg) => {
      const path = '/.well-known/openid-configuration'
      const offer = (await (await fetch(`${provider.issuer}${path}`)).json()) as object
      const body = JSON.stringify({
        ...offer,
        id_token_signing_alg_values_supported: ['RS256', alg],
      })
      const unsigned = (claims: JWTPayload) => `${base64({ alg })}.${base64(claims)}.`
      provider.faults = { answer: { path, body }, sign: unsigned }
      expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toMatch(/^\/login\?error=Oidc/)
      await expectNothing()
    },
  )

  test('though not for a clock that is a minute off', async () => {
    const skewed = (claims: JWTPayload) => ({ ...claims, iat: now() + 50, nbf: now() + 50 })
    provider.faults = { claims: skewed }
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
    provider.faults = { claims: (claims) => ({ ...claims, exp: now() - 50 }) }
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
  })
})

test.each([
  ['is longer than any', 'x1'.repeat(128)],
  ['has a character that no text has', 'ann\0'],
])('an id of a person that %s is refused', async (_, sub) => {
  provider.faults = { claims: (claims) => ({ ...claims, sub }) }
  expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/login?error=OidcInvalid')
  await expectNothing()
})

test('an id of a session that has a character that no text has is none', async () => {
  provider.faults = { claims: (claims) => ({ ...claims, sid: 's\0' }) }
  expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
  expect(await deps.db.select().from(sessions)).toMatchObject([{ providerSession: null }])
})

describe('an answer is refused', () => {
  const answerFor = async (sub: string) => {
    const browser = newBrowser(deps)
    return { browser, answer: await provider.signIn(await begin(browser), sub) }
  }

  test('that another browser began (login CSRF)', async () => {
    const { answer } = await answerFor('ann-1')
    const victim = newBrowser(deps)
    expect(await arrive(victim, answer)).toBe('/login?error=OidcExpired')
    await begin(victim)
    expect(await arrive(victim, answer)).toBe('/login?error=OidcExpired')
    expect(await who(victim)).toBeNull()
    await expectNothing()
  })

  test.each([
    ['with another state', 'state', 'another'],
    ['with another code', 'code', 'another'],
    ['of another issuer', 'iss', 'https://evil.example'],
  ])('%s', async (_, name, value) => {
    const { browser, answer } = await answerFor('ann-1')
    const changed = new URL(answer)
    changed.searchParams.set(name, value)
    expect(await arrive(browser, changed.href)).toMatch(/^\/login\?error=Oidc(Expired|Invalid)$/)
    await expectNothing()
  })

  test('that was used before, in a copy of the browser too', async () => {
    const { browser, answer } = await answerFor('ann-1')
    const copy = browser.copy()
    expect(await arrive(browser, answer)).toBe('/')
    expect(await arrive(browser, answer)).toBe('/login?error=OidcExpired')
    expect(await arrive(copy, answer)).toBe('/login?error=OidcExpired')
    expect(await deps.db.select().from(sessions)).toHaveLength(1)
  })

  test('with what the provider says against it', async () => {
    const { browser, answer } = await answerFor('ann-1')
    const { origin, pathname, searchParams } = new URL(answer)
    const state = { state: searchParams.get('state') ?? '', iss: provider.issuer }
    const denied = new URLSearchParams({ error: 'access_denied', error_description: 'x', ...state })
    expect(await arrive(browser, `${origin}${pathname}?${denied}`)).toBe('/login?error=OidcDenied')
  })
})

describe('a provider', () => {
  test('whose key is another one now signs in', async () => {
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
    await provider.restart()
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
  })

  test.each<[string, typeof provider.faults, string]>([
    [
      'that fails',
      { answer: { path: '/.well-known/openid-configuration', status: 503, body: '{}' } },
      'OidcAway',
    ],
    [
      'that names another issuer',
      {
        answer: {
          path: '/.well-known/openid-configuration',
          body: '{"issuer":"https://evil.example"}',
        },
      },
      'OidcInvalid',
    ],
    [
      'whose token endpoint fails',
      { answer: { path: '/token', status: 500, body: '' } },
      'OidcAway',
    ],
    ['that sends no JSON', { answer: { path: '/token', body: '<html>' } }, 'OidcInvalid'],
    [
      'that sends no ID token',
      { answer: { path: '/token', body: '{"access_token":"x","token_type":"bearer"}' } },
      'OidcInvalid',
    ],
    ['that has no keys', { answer: { path: '/jwks', body: '{"keys":[]}' } }, 'OidcInvalid'],
    [
      'that never stops',
      { answer: { path: '/token', body: `{"id_token":"${'x'.repeat(2_000_000)}"}` } },
      'OidcAway',
    ],
  ])('%s is refused', async (_, faults, code) => {
    provider.faults = faults
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe(`/login?error=${code}`)
    await expectNothing()
  })

  test('that is away is refused, and is asked again by the next', async () => {
    await testDeps(settingsOf({ issuer: 'http://127.0.0.1:9' } as typeof provider))
    expect(await begin(newBrowser(deps))).toBe('/login?error=OidcAway')
    expect(await begin(newBrowser(deps))).toBe('/login?error=OidcAway')
  })
})

describe('an account is refused', () => {
  test.each<[string, object, string]>([
    ['whose email is not verified', { email_verified: false }, 'OidcUnverified'],
    ['of whose email nothing is said', { email_verified: undefined }, 'OidcUnverified'],
    ['without an email', { email: undefined }, 'OidcNoEmail'],
    ['with what is no email', { email: 'ann@example.com@evil.example' }, 'OidcNoEmail'],
    [
      'with a letter that looks like another',
      { email: 'ann@example.com'.replace('a', '\u00e0') },
      'OidcNoEmail',
    ],
    ['with two in one', { email: 'bob,ann@example.com' }, 'OidcNoEmail'],
    ['with a character that no text has', { email: 'an\0n@example.com' }, 'OidcNoEmail'],
    ['of another domain', { email: 'ann@sub.example.com' }, 'OidcDomain'],
    ['without an invitation', { email: 'bob@example.com' }, 'OidcNoAccount'],
  ])('%s', async (_, person, code) => {
    provider.people = [{ ...ANN, ...person }]
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe(`/login?error=${code}`)
    await expectNothing()
    const [failed] = await auditIn(deps)
    expect(failed).toMatchObject({ action: 'users.sign-in-failed', details: { reason: code } })
  })

  test('whose email belongs to another subject', async () => {
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
    provider.people = [{ ...ANN, sub: 'ann-2' }]
    expect(await signInAt(provider, newBrowser(deps), 'ann-2')).toBe('/login?error=OidcTaken')
    expect(await linksIn(deps)).toHaveLength(1)
  })

  test('by the link alone, whatever its email is by now', async () => {
    const bob = await addUser(deps, 'bob@example.com')
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
    provider.people = [{ ...ANN, email: 'bob@example.com' }]
    const browser = newBrowser(deps)
    expect(await signInAt(provider, browser, 'ann-1')).toBe('/')
    expect((await who(browser)).id).not.toBe(bob)
  })

  test.each([
    ['DISABLED', 'OidcDisabled'],
    ['REQUIRED_ACTIVATION', 'OidcNotActive'],
    ['REQUIRED_RESET_PASSWORD', 'OidcReset'],
  ] as const)('that is %s since it was linked', async (status, code) => {
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
    await deps.db.update(users).set({ status })
    expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe(`/login?error=${code}`)
  })
})

test('a provider may take longer than a request that reads', async () => {
  await testDeps({ ...settingsOf(provider), READ_TIMEOUT_MS: '500' })
  await addUser(deps, ANN.email)
  provider.faults = { slow: { path: '/token', ms: 700 } }
  expect(await signInAt(provider, newBrowser(deps), 'ann-1')).toBe('/')
})

test('a sign-in leads to our own pages alone', async () => {
  for (const elsewhere of ['https://evil.example', '//evil.example', '/\t/evil.example', '/\\e.x'])
    expect(await signInAt(provider, newBrowser(deps), 'ann-1', elsewhere)).toBe('/')
})

test('a sign-in for a page with a very long address leads to the start page', async () => {
  const browser = newBrowser(deps)
  await begin(browser, `/${'ж'.repeat(1_900)}`)
  expect(browser.cookieHeader().length).toBeLessThan(4_000)
  expect(await signInAt(provider, browser, 'ann-1', `/${'ж'.repeat(1_900)}`)).toBe('/')
})
