import { expect } from 'vitest'
import { auditLog, externalIdentities, users } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { nextAuthRoute } from '@/lib/http/next-auth-route'
import { Browser } from '@/lib/testing/browser'
import { CLIENT, IdentityProvider } from '@/lib/testing/identity-provider'
import * as oidc from '../oidc/[provider]/route'

const CALLBACK = 'http://localhost:3000/api/auth/callback/oidc-keycloak'

export const startProvider = (settings?: object) => IdentityProvider.start([CALLBACK], settings)

/** The settings of the provider, with these besides. */
export const settingsOf = (
  { issuer }: IdentityProvider,
  more: Record<string, string> = {},
): Record<string, string> => {
  const named = Object.entries(more).map(([name, value]) =>
    /^[A-Z]+_[A-Z_]*SIGN_IN$|^BREAK|^APP_URL|^OIDC_RECHECK/.test(name)
      ? [name, value]
      : [`OIDC_KEYCLOAK_${name}`, value],
  )
  return {
    OIDC_KEYCLOAK_ISSUER: issuer,
    OIDC_KEYCLOAK_CLIENT_ID: CLIENT.id,
    OIDC_KEYCLOAK_CLIENT_SECRET: CLIENT.secret,
    OIDC_KEYCLOAK_DOMAINS: 'example.com',
    ...Object.fromEntries(named),
  }
}

type NewUser = Partial<typeof users.$inferInsert>
export async function addUser(deps: Deps, email: string, user: NewUser = {}): Promise<string> {
  const values = { email, roles: ['VIEWER'], status: 'ACTIVATED' as const, ...user }
  const [added] = await deps.db.insert(users).values(values).returning({ id: users.id })
  return added?.id ?? ''
}

/** Presses the button on the sign-in page: the address of the provider, or of the sign-in page. */
export async function begin(browser: Browser, returnTo?: string): Promise<string> {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
  const { status, headers } = await browser.call(oidc.GET, {
    path: `/api/auth/oidc/keycloak${query}`,
    params: { provider: 'keycloak' },
  })
  expect(status).toBe(302)
  return headers.get('location') ?? ''
}

/** The browser arrives with the answer of the provider: where it is led to. */
export async function arrive(browser: Browser, address: string): Promise<string> {
  const { search } = new URL(address)
  const { status, headers } = await browser.call(nextAuthRoute, {
    path: `/api/auth/callback/oidc-keycloak${search}`,
    params: { nextauth: ['callback', 'oidc-keycloak'] },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(status).toBe(302)
  return headers.get('location') ?? ''
}

/** All of a sign-in, as far as it goes without a second step. */
export async function signInAt(
  provider: IdentityProvider,
  browser: Browser,
  sub: string,
  returnTo?: string,
): Promise<string> {
  const address = await begin(browser, returnTo)
  if (!address.startsWith(provider.issuer)) return address
  return arrive(browser, await provider.signIn(address, sub))
}

export const who = async (browser: Browser) => (await browser.session()).user ?? null

export const linksIn = ({ db }: Deps) =>
  db.select().from(externalIdentities).orderBy(externalIdentities.createdAt)

export const auditIn = ({ db }: Deps) => db.select().from(auditLog).orderBy(auditLog.id)

export const newBrowser = (deps: Deps) => new Browser(deps)
