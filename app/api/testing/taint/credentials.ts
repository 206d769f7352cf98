import { eq, sql } from 'drizzle-orm'
import { generateApiKey } from '@/lib/auth/api-key'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { startSession } from '@/lib/auth/session-store'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import { apiKeys, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { TaintActor } from './actor'
import { PEOPLE } from './world'

/** The people, those who act with their roles and profiles, and a credential for each caller who has one. */
export async function giveCredentials(deps: Deps, actors: readonly TaintActor[]): Promise<void> {
  const { db } = deps
  await db.execute(sql`delete from engine.api_keys where owner_id is null`)
  for (const id of PEOPLE) {
    const { roles = [], profile = {} } = actors.find(({ userId }) => userId === id) ?? {}
    const email = `${id.slice(-1)}@example.com`
    await db.insert(users).values({ id, email, roles, profile, status: 'ACTIVATED' })
  }
  for (const actor of actors) Object.assign(actor.headers, await credentialOf(deps, actor))
}

async function credentialOf(deps: Deps, actor: TaintActor): Promise<Record<string, string>> {
  const { kind, userId, name, scopes, roles } = actor
  if (kind === 'guest') return {}
  if (kind === 'session') return sessionOf(deps, userId ?? '')
  const { key, prefix, hash } = generateApiKey()
  const whose = userId === null ? { roles } : { ownerId: userId }
  await deps.db.insert(apiKeys).values({ name, prefix, hash, scopes, ...whose })
  return { 'x-engine-apikey': key }
}

async function sessionOf(deps: Deps, id: string): Promise<Record<string, string>> {
  const user = one(await deps.db.select().from(users).where(eq(users.id, id)))
  const visitor = { strong: false, userAgent: null, address: null }
  const session = await startSession(deps.db, { user, ...visitor })
  const token = await encodeSession(newSession(session), deps.secret)
  const cookie = sessionCookie(token, deps.settings).split(';')[0] ?? ''
  return { cookie, 'sec-fetch-site': 'same-origin' }
}
