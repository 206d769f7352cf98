import 'server-only'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { deriveKey } from '@/lib/crypto/derive-key'
import type { Env } from '@/lib/env'

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
export type StartedSession = { id: string; userId: string; version: number }

/** The claims of a session that begins now. */
export const newSession = ({ id, userId, version }: StartedSession): SessionClaims => ({
  sub: userId,
  sid: id,
  version,
  since: nowInSeconds(),
})

/** An encrypted JWT. The key is derived once, not for each request as next-auth's own would be. */
export const encodeSession = (
  { sub, sid, version, since }: SessionClaims,
  secret: string,
): Promise<string> =>
  new EncryptJWT({ sub, sid, version, since })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(`${SESSION_MAX_AGE_S}s`)
    .setJti(crypto.randomUUID())
    .encrypt(deriveKey(secret, 'session'))

/**
 * Null for a token that is expired, altered, foreign, of a session that began more than
 * `SESSION_MAX_DAYS` ago, or of a version of the engine whose sessions had no rows.
 */
export async function decodeSession(
  token: string,
  secret: string,
  settings: Pick<Env, 'SESSION_MAX_DAYS'>,
): Promise<SessionClaims | null> {
  try {
    const { payload } = await jwtDecrypt(token, deriveKey(secret, 'session'))
    const { sub, sid, version, since } = payload
    if (typeof sub !== 'string' || typeof sid !== 'string') return null
    if (typeof version !== 'number' || typeof since !== 'number') return null
    const isOver = nowInSeconds() > since + settings.SESSION_MAX_DAYS * DAY_S
    return isOver ? null : { sub, sid, version, since }
  } catch {
    return null // invalid for whatever reason
  }
}

const nowInSeconds = () => Math.floor(Date.now() / 1000)
