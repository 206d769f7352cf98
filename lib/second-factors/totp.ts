import 'server-only'
import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
/** Steps of 30 seconds before and after the current one whose codes are accepted. */
const WINDOW = 1

/** A new secret in base32, and the `otpauth://` address that authenticator apps read (RFC 6238). */
export function newTotp(email: string, issuer: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer, label: email, secret: new Secret({ size: SECRET_BYTES }) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step for which `code` is right, or null. */
export function stepOf(secret: string, code: string): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const timestamp = Date.now()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}
