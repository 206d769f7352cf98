import { timingSafeEqual } from 'node:crypto'
import { and, eq, not, or, sql } from 'drizzle-orm'
import { around, type Point } from '@/lib/around'
import { apiKeys, sessions, users } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { describeApiKey, type NewApiKey, readApiKey } from './api-key'
import { credentialsOf, type Loaded } from './credential-cache'
import { recordUse } from './credential-uses'
import { findKeys } from './find-key'
import { ownRequestActor } from './own-requests'
import { callerAddress } from './request-origin'
import { hasSecondFactor, requiresSecondFactor } from './requires-second-factor'
import type { Actor } from './rights'
import { namedParts, profileFor, rulesFor } from './rules-for'
import { readSessionCookie } from './session-cookie'
import { takeUpSession } from './session-store'
import { isOver, isWithoutRow, readSession, type SessionClaims } from './session-token'

// Kept with the credential: a change of a policy empties the cache.
const policiesOfUser = rulesFor(users.roles)
const profileOfUser = profileFor(users.roles)

type Source = Pick<Deps, 'db' | 'bus' | 'log'>
type SessionDeps = Source & Pick<Deps, 'settings' | 'secret' | 'layers'>

declare module '@/lib/around' {
  interface Points {
    /** What the database says of a session and its user, whenever it is not known; null: it has ended. */
    loadSession: Point<SessionDeps, SessionClaims, Loaded<Known> | null>
  }
}

/**
 * Throws `unauthenticated` for a key that is unknown, revoked or expired, or that acts as an owner who is not
 * active.
 */
async function actorByKey(
  deps: Source,
  described: NewApiKey,
  address: string | null,
): Promise<Actor> {
  const load = () => loadKey(deps.db, described)
  const credentials = credentialsOf(deps)
  const key = `key:${described.hash}`
  const found = credentials.known<Known>(key) ?? (await credentials.find(key, load))
  if (!found) throw new AppError('unauthenticated', 'The API key is unknown, expired or revoked')
  recordUse(deps, 'keys', found.id)
  return actorAt(found, address)
}

type Known = Omit<Actor, 'address'>

// What is known of a credential is one object for seconds, and mostly used from one address.
const actors = new WeakMap<Known, Actor>()

function actorAt(known: Known, address: string | null): Actor {
  const last = actors.get(known)
  if (last?.address === address) return last
  const actor = { ...known, address }
  actors.set(known, actor)
  return actor
}

async function loadKey(db: Db, { prefix, hash }: NewApiKey): Promise<Loaded<Known> | null> {
  const candidates = await findKeys(db, eq(apiKeys.prefix, prefix))
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  return found ? { value: found.actor, expiresInMs: found.expiresInMs } : null
}

// In constant time: the time taken must not reveal how much of a guess was right.
const isSameHash = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * The user of a session, or null when it was ended: it has no row or its version is no longer the
 * user's. Null, too, for one without a second factor once the user has any. `decodeSession` checks its expiry.
 */
export async function actorBySession(
  deps: SessionDeps,
  claims: SessionClaims,
  address: string | null,
): Promise<Actor | null> {
  const { sub, sid, version } = claims
  const load = () => around(deps, 'loadSession', claims, ({ db }) => loadUser(db, claims))
  const credentials = credentialsOf(deps)
  const key = `session:${sid}:${sub}:${version}`
  const found = credentials.known<Known>(key) ?? (await credentials.find(key, load))
  if (found) recordUse(deps, 'sessions', sid)
  return found && actorAt(found, address)
}

/**
 * A user without a request, limited to `scopes` if given: for work in the background, with the rights
 * of this moment. Null when the account is not active.
 */
export async function actorOfUser(
  db: Db,
  userId: string,
  scopes: readonly string[] | null,
): Promise<Actor | null> {
  const [user] = await db
    .select({
      email: users.email,
      roles: users.roles,
      policies: policiesOfUser,
      profile: profileOfUser,
    })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.status, 'ACTIVATED')))
  if (!user) return null
  const { email: name, roles, policies } = user
  const profile = namedParts(policies, user.profile)
  return { type: 'user', id: userId, userId, name, roles, policies, profile, scopes, address: null }
}

/** The same of a key, with its own scopes. Null when it opens nothing any more. */
export async function actorOfKey(db: Db, id: string): Promise<Actor | null> {
  const [found] = await findKeys(db, eq(apiKeys.id, id))
  return found ? { ...found.actor, address: null } : null
}

async function loadUser(db: Db, claims: SessionClaims): Promise<Loaded<Known> | null> {
  const known = await findUser(db, claims)
  if (known || !isWithoutRow(claims)) return known
  await takeUpSession(db, claims)
  return findUser(db, claims)
}

async function findUser(
  db: Db,
  { sub, sid, version }: SessionClaims,
): Promise<Loaded<Known> | null> {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      roles: users.roles,
      policies: policiesOfUser,
      profile: profileOfUser,
      mustChangePassword: sql<boolean>`${users.mustChangePassword} and ${sessions.signedInBy} is null`,
      mustSetUpSecondFactor: sql<boolean>`${requiresSecondFactor} and not ${hasSecondFactor}
        and not (${sessions.strong} and ${sessions.signedInBy} is not null)`,
    })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(
      and(
        eq(users.id, sub),
        eq(sessions.id, sid),
        eq(sessions.version, users.sessionVersion),
        eq(users.sessionVersion, version),
        eq(users.status, 'ACTIVATED'),
        or(sessions.strong, not(hasSecondFactor)),
      ),
    )
  if (!user) return null
  const { id, email, ...rest } = user
  const who = { type: 'user', id, name: email, userId: id, sessionId: sid } as const
  const profile = namedParts(rest.policies, rest.profile)
  return { value: { ...who, ...rest, profile, scopes: null }, expiresInMs: null }
}

export type ActorDeps = SessionDeps

/**
 * The caller of this request; null without a credential or with a session that has ended. What the
 * database says of a credential is kept for some seconds, but not beyond a change of it. A key takes
 * precedence over a cookie. Throws `unauthenticated` for a bad key.
 */
export function currentActor(
  request: Pick<Request, 'headers'>,
  deps: ActorDeps,
): Promise<Actor | null> {
  const own = ownRequestActor(request)
  if (own) return Promise.resolve(own)
  const byKey = identifyByKey(request, deps)
  return byKey ? byKey() : identify(request, deps).then((find) => find())
}

/** The same for one who is asked for again and again: the credential is hashed or decrypted once. */
export async function identify(
  request: Pick<Request, 'headers'>,
  deps: ActorDeps,
): Promise<() => Promise<Actor | null>> {
  const byKey = identifyByKey(request, deps)
  if (byKey) return byKey
  const { headers } = request
  const { settings, secret } = deps
  const address = callerAddress(headers, settings.TRUST_PROXY)
  const token = readSessionCookie(headers, settings)
  const session = token ? await readSession(token, secret, settings) : null
  return async () =>
    session && !isOver(session.until) ? actorBySession(deps, session.claims, address) : null
}

/** Null for a request without a key. */
function identifyByKey(
  { headers }: Pick<Request, 'headers'>,
  deps: ActorDeps,
): (() => Promise<Actor>) | null {
  const key = readApiKey(headers)
  if (!key) return null
  const described = describeApiKey(key)
  const address = callerAddress(headers, deps.settings.TRUST_PROXY)
  return () => actorByKey(deps, described, address)
}
