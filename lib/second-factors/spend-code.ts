import { Secret, TOTP } from 'otpauth'
import {
  countAttempt,
  forgetAttempts,
  SECOND_FACTOR,
  SECOND_FACTOR_OF_DAY,
} from '@/lib/auth/rate-limit'
import type { AppSecret } from '@/lib/crypto/derive-key'
import { decrypt, encrypt } from '@/lib/crypto/stored-text'
import type { Db } from '@/lib/db/sql'
import { findTotp, spendStep } from './factor-store'
import { spendRecoveryCode } from './recovery-codes'

/**
 * Uses up a code of an authenticator app or a recovery code of the user. Null when it is wrong, or
 * was used before.
 */
export async function spendCode(
  tx: Db,
  secret: AppSecret,
  userId: string,
  input: string,
): Promise<'totp' | 'recovery-code' | null> {
  const code = input.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code))
    return (await spendRecoveryCode(tx, userId, code)) ? 'recovery-code' : null
  const totp = await findTotp(tx, userId)
  const opened = totp && openTotpSecret(secret, userId, totp.secret)
  const step = opened ? stepOf(opened, code) : null
  return step !== null && (await spendStep(tx, userId, step)) ? 'totp' : null
}

export const sealTotpSecret = (secret: AppSecret, userId: string, text: string) =>
  encrypt(secret, { purpose: 'totp-secret', id: userId }, text)

/** Null when it was encrypted with another secret of the app. */
export const openTotpSecret = (secret: AppSecret, userId: string, sealed: string) =>
  decrypt(secret, { purpose: 'totp-secret', id: userId }, sealed)

/** Counts an attempt before its code is checked. Throws `rate_limited`. Call it outside of transactions. */
export async function countCode(db: Db, userId: string): Promise<void> {
  await countAttempt(db, SECOND_FACTOR, userId)
  await countAttempt(db, SECOND_FACTOR_OF_DAY, userId)
}

/** After a right code: only failures in a row count. */
export async function forgetCodes(db: Db, userId: string): Promise<void> {
  await forgetAttempts(db, { limit: SECOND_FACTOR, subject: userId })
  await forgetAttempts(db, { limit: SECOND_FACTOR_OF_DAY, subject: userId })
}

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
