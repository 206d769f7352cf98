import type { Deps } from '@/lib/deps'
import 'server-only'
import { timingSafeEqual } from 'node:crypto'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import { now } from '@/lib/db/functions'
import { apiKeys, users } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { describeApiKey } from './api-key'
import type { Actor } from './rights'
import { rulesFor } from './rules-for'
import type { SessionClaims } from './session-token'

const LAST_USED_PRECISION_MS = 60_000

// Read with every request, so that a policy takes effect immediately on every instance.
const policiesOfUser = rulesFor(users.roles)

/**
 * Throws `unauthenticated` for a key that is unknown, revoked or expired, or whose owner is not
 * active.
 */
export async function actorByKey(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  key: string,
  address: string | null,
): Promise<Actor> {
  const { prefix, hash } = describeApiKey(key)
  const candidates = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      userId: users.id,
      roles: users.roles,
      policies: policiesOfUser,
      hash: apiKeys.hash,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.ownerId))
    .where(
      and(
        eq(apiKeys.prefix, prefix),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        eq(users.status, 'ACTIVATED'),
      ),
    )
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  if (!found) throw new AppError('unauthenticated', 'The API key is unknown, expired or revoked')
  noteUse({ db, log }, found.id, found.lastUsedAt)
  const { id, name, userId, roles, scopes, policies } = found
  return { type: 'api_key', id, name, userId, roles, scopes, policies, address }
}

// In constant time: the time taken must not reveal how much of a guess was right.
const isSameHash = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineKeyUses?: Map<string, number> }
shared.__engineKeyUses ??= new Map()
const lastTries = shared.__engineKeyUses

/**
 * Records the use of the key, to the minute. The request neither waits for it nor fails with it: a
 * read-only database can still be read.
 */
function noteUse({ db, log }: Pick<Deps, 'db' | 'log'>, id: string, lastUsedAt: Date | null): void {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < LAST_USED_PRECISION_MS) return
  const triedAt = performance.now()
  if (triedAt - (lastTries.get(id) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return
  lastTries.set(id, triedAt)
  const update = () => db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id))
  withOwnBudget({ ms: NOTE_USE_MS }, update).catch((error) =>
    log.debug({ key: id, error: reasonOf(error) }, 'use of an API key not noted'),
  )
}

const NOTE_USE_MS = 5_000
/** So that concurrent requests write once, and a read-only database is rarely tried. */
const RETRY_MS = 5_000

/**
 * The user of a session, or null when it was ended: its version is no longer the user's.
 * `decodeSession` checks its expiry.
 */
export async function actorBySession(
  db: Db,
  { sub, version }: Pick<SessionClaims, 'sub' | 'version'>,
  address: string | null,
): Promise<Actor | null> {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      roles: users.roles,
      policies: policiesOfUser,
      mustChangePassword: users.mustChangePassword,
    })
    .from(users)
    .where(and(eq(users.id, sub), eq(users.sessionVersion, version), eq(users.status, 'ACTIVATED')))
  if (!user) return null
  const { id, email, roles, policies, mustChangePassword } = user
  return {
    type: 'user',
    id,
    name: email,
    userId: id,
    roles,
    scopes: null,
    policies,
    address,
    mustChangePassword,
  }
}
