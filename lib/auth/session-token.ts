import { EncryptJWT, jwtDecrypt } from 'jose'
import { deriveKey } from '@/lib/crypto/derive-key'

export const SESSION_MAX_AGE_S = 7 * 24 * 60 * 60

/** What a session cookie says: the user, and the version of their sessions it belongs to. */
export type SessionClaims = { sub: string; version: number }

/** An encrypted JWT. The key is derived once, not for each request as next-auth's own would be. */
export const encodeSession = ({ sub, version }: SessionClaims, secret: string): Promise<string> =>
  new EncryptJWT({ sub, version })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setIssuedAt()
    .setExpirationTime(`${SESSION_MAX_AGE_S}s`)
    .setJti(crypto.randomUUID())
    .encrypt(deriveKey(secret, 'session'))

/** Null for a token that is expired, altered, or not one of ours. */
export async function decodeSession(token: string, secret: string): Promise<SessionClaims | null> {
  try {
    const { payload } = await jwtDecrypt(token, deriveKey(secret, 'session'))
    const { sub, version } = payload
    return typeof sub === 'string' && typeof version === 'number' ? { sub, version } : null
  } catch {
    return null // whatever is wrong with it, it proves nothing
  }
}
