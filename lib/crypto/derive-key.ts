import { hkdfSync } from 'node:crypto'

const cache = new Map<string, Buffer>()

/** What a key is for: no two uses share one, so that one that leaks does not expose the others. */
export type KeyPurpose =
  | 'session'
  | 'device'
  | 'mail-body'
  | 'idempotent-response'
  | 'cursor'
  | 'totp-secret'
  | 'webhook-secret'
  | 'server-key'
  | 'oidc'
  | 'provider-token'
  | 'registration'

/** `previous`: another one whose encrypted values and signatures are read too, but which makes none. */
export type AppSecret = { current: string; previous: string | null }

/** 32 bytes for one purpose, from the app's secret (HKDF-SHA-256, RFC 5869). */
export const deriveKey = ({ current }: AppSecret, purpose: KeyPurpose): Buffer =>
  keyOf(current, purpose)

/** The keys by which values of one purpose are read: that of `deriveKey` first. */
export const readingKeys = (secret: AppSecret, purpose: KeyPurpose): Buffer[] =>
  [secret.current, secret.previous].filter((one) => one !== null).map((one) => keyOf(one, purpose))

function keyOf(secret: string, purpose: KeyPurpose): Buffer {
  const id = `${purpose}\n${secret}`
  const key = cache.get(id) ?? Buffer.from(hkdfSync('sha256', secret, '', `engine ${purpose}`, 32))
  cache.set(id, key)
  return key
}
