import { generateApiKey } from '@/lib/auth/api-key'
import { generateScimToken } from '@/lib/auth/scim-token'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { startSession } from '@/lib/auth/session-store'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import { apiKeys, scimTokens, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

type Owner = { id: string; sessionVersion: number }
type Headers = Record<string, string>

export async function addAdministrator(deps: Deps, passwordHash: string | null = null) {
  const email = `${crypto.randomUUID()}@example.com`
  const user = { email, passwordHash, roles: ['ADMIN'], status: 'ACTIVATED' as const }
  return one(await deps.db.insert(users).values(user).returning())
}

/** A new key's headers, and the hash that is stored of it. */
export async function keyOf(
  { db }: Deps,
  { id }: Owner,
): Promise<{ headers: Headers; hash: string }> {
  const { key, prefix, hash } = generateApiKey()
  await db.insert(apiKeys).values({ name: 'test', prefix, hash, ownerId: id })
  return { headers: { 'x-engine-apikey': key }, hash }
}

/** The headers of the identity provider, with a new token. */
export async function identityProvider({ db }: Deps): Promise<Headers> {
  const { token, prefix, hash } = generateScimToken()
  await db.delete(scimTokens)
  await db.insert(scimTokens).values({ prefix, hash, createdBy: 'test' })
  return { authorization: `Bearer ${token}` }
}

/** The headers of a browser whose user has just confirmed who it is. */
export async function browserOf(deps: Deps, user: Owner): Promise<Headers> {
  const visit = { strong: true, confirmed: true, userAgent: null, address: null }
  const session = await startSession(deps.db, { user, ...visit })
  const token = await encodeSession(newSession(session), deps.secret)
  const cookie = sessionCookie(token, deps.settings).split(';')[0] ?? ''
  return { cookie, 'sec-fetch-site': 'same-origin' }
}
