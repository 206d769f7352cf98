import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sessions } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import {
  addUser,
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
beforeEach(() => {
  provider.people = [ANN]
  provider.faults = {}
})

describe('signing in by a provider', () => {
  test('links an account by its verified email, and begins a session that names the way', async () => {
    const id = await addUser(deps, 'Ann@Example.com')
    const browser = newBrowser(deps)
    const at = await begin(browser, '/entities/Book?q=1')
    expect(new URL(at).searchParams.get('code_challenge_method')).toBe('S256')
    expect(await signInAt(provider, browser, 'ann-1', '/entities/Book?q=1')).toBe(
      '/entities/Book?q=1',
    )
    expect(await who(browser)).toMatchObject({ id, email: 'Ann@Example.com', roles: ['VIEWER'] })
    expect(await linksIn(deps)).toMatchObject([
      { userId: id, provider: 'keycloak', issuer: provider.issuer, subject: 'ann-1' },
    ])
    expect(await deps.db.select().from(sessions)).toMatchObject([
      { userId: id, signedInBy: 'oidc:keycloak', strong: false },
    ])
    const noted = await auditIn(deps)
    expect(noted.map(({ action, details }) => [action, details])).toEqual([
      ['users.link-identity', { email: 'ann@example.com', by: 'oidc:keycloak' }],
      ['users.sign-in', { by: 'oidc:keycloak' }],
    ])
  })
})
