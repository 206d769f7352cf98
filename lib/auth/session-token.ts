import 'server-only'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { deriveKey } from '@/lib/crypto/derive-key'
import type { Env } from '@/lib/env'

/** A session that is unused for this long ends. */
export const SESSION_MAX_AGE_S = 7 * 24 * 60 * 60
const DAY_S = 24 * 60 * 60

/**
 * The content of a session cookie: the user, the version of their sessions, and the time of the
 * sign-in (seconds since 1970), which stays the same when the cookie is renewed.
 */
export type SessionClaims = { sub: string; version: number; since: number }

/** The claims of a session that begins now. */
export const newSession = (user: { id: string; sessionVersion: number }): SessionClaims => ({
  sub: user.id,
  version: user.sessionVersion,
  since: nowInSeconds(),
})

/** An encrypted JWT. The key is derived once, not for each request as next-auth's own would be. */
export const encodeSession = (
  { sub, version, since }: SessionClaims,
  secret: string,
): Promise<string> =>
  new EncryptJWT({ sub, version, since })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(`${SESSION_MAX_AGE_S}s`)
    .setJti(crypto.randomUUID())
    .encrypt(deriveKey(secret, 'session'))

/**
 * Null for a token that is expired, altered, foreign, or of a session that began more than
 * `SESSION_MAX_DAYS` ago.
 */
export async function decodeSession(
  token: string,
  secret: string,
  settings: Pick<Env, 'SESSION_MAX_DAYS'>,
): Promise<SessionClaims | null> {
  try {
    const { payload } = await jwtDecrypt(token, deriveKey(secret, 'session'))
    const { sub, version } = payload
    // Tokens of older versions lack the time of the sign-in.
    const since = typeof payload.since === 'number' ? payload.since : (payload.iat ?? 0)
    if (typeof sub !== 'string' || typeof version !== 'number') return null
    const isOver = nowInSeconds() > since + settings.SESSION_MAX_DAYS * DAY_S
    return isOver ? null : { sub, version, since }
  } catch {
    return null // invalid for whatever reason
  }
}

const nowInSeconds = () => Math.floor(Date.now() / 1000)
