import { createHash, randomInt } from 'node:crypto'
import { EncryptJWT } from 'jose'
import { type AppSecret, deriveKey } from '@/lib/crypto/derive-key'
import type { Env } from '@/lib/env'
import { decryptToken } from './decrypt-token'

/** A session that is unused for this long ends. */
export const SESSION_MAX_AGE_S = 7 * 24 * 60 * 60
const DAY_S = 24 * 60 * 60

/**
 * The content of a session cookie: the user, the row of the session, the version of the user's
 * sessions, and the time of the sign-in (seconds since 1970), which stays the same when the cookie
 * is renewed.
 */
export type SessionClaims = { sub: string; sid: string; version: number; since: number }

/** A session that was started: see `startSession`. */
export type StartedSession = { id: string; userId: string; version: number; since: number }

export const newSession = ({ id, userId, version, since }: StartedSession): SessionClaims => ({
  sub: userId,
  sid: id,
  version,
  since,
})

/** A double of this time has 22 bits after the point. */
const FRACTIONS = 2 ** 22

/** Now, in seconds and a random fraction, which makes ids of sessions differ: never a whole number. */
export const startOfSession = (): number => nowInSeconds() + randomInt(1, FRACTIONS) / FRACTIONS

type Start = Pick<SessionClaims, 'sub' | 'version' | 'since'>

/**
 * The id of the session with these claims. Engine of 2026-11-24 and before drops `sid` when it renews a cookie, and
 * serves beside this version while that replaces it.
 */
export function sessionIdOf({ sub, version, since }: Start): string {
  const hex = createHash('sha256').update(`${sub} ${version} ${since}`).digest('hex')
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...groups, hex.slice(20, 32)].join('-')
}

/** Of a sign-in to Engine of 2026-11-24 or before, which made no row for it and kept whole seconds. */
export const isWithoutRow = (claims: SessionClaims): boolean =>
  Number.isInteger(claims.since) && claims.sid === sessionIdOf(claims)

/** An encrypted JWT. The key is derived once, not for each request as next-auth's own would be. */
export const encodeSession = (
  { sub, sid, version, since }: SessionClaims,
  secret: AppSecret,
): Promise<string> =>
  new EncryptJWT({ sub, sid, version, since })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(`${SESSION_MAX_AGE_S}s`)
    .setJti(crypto.randomUUID())
    .encrypt(deriveKey(secret, 'session'))

/** `until`: when its cookie or the longest time of a session is over, in seconds since 1970. */
export type ReadSession = { claims: SessionClaims; until: number }

/**
 * Null for a token that is expired, altered, foreign, or of a session that began more than
 * `SESSION_MAX_DAYS` ago.
 */
export async function readSession(
  token: string,
  secret: AppSecret,
  settings: Pick<Env, 'SESSION_MAX_DAYS'>,
): Promise<ReadSession | null> {
  try {
    const { payload } = await decryptToken(token, secret, 'session')
    const { sub, version, iat, exp = Infinity } = payload
    const since = payload.since ?? iat // the first versions knew the time of the renewal only
    if (typeof sub !== 'string') return null
    if (typeof version !== 'number' || typeof since !== 'number') return null
    const sid = payload.sid ?? sessionIdOf({ sub, version, since })
    if (typeof sid !== 'string') return null
    const until = Math.min(exp, since + settings.SESSION_MAX_DAYS * DAY_S)
    return isOver(until) ? null : { claims: { sub, sid, version, since }, until }
  } catch {
    return null // invalid for whatever reason
  }
}

/** The content of the same alone. */
export const decodeSession = async (
  ...read: Parameters<typeof readSession>
): Promise<SessionClaims | null> => (await readSession(...read))?.claims ?? null

/** `until` as of `ReadSession`. */
export const isOver = (until: number): boolean => nowInSeconds() > until

const nowInSeconds = () => Math.floor(Date.now() / 1000)
