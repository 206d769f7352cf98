import { createHash, randomBytes } from 'node:crypto'

const DAY_MS = 24 * 60 * 60_000
export const ACTIVATION_LIFETIME_MS = 7 * DAY_MS
export const RESET_LIFETIME_MS = DAY_MS / 24

/** The secret of a link: 256 random bits. Only `tokenHash` may be kept. */
export function newLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

export const hashLinkToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex')
