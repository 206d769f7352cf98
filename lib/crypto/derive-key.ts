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

/** 32 bytes for one purpose, from the app's secret (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  const id = `${purpose}\n${secret}`
  const key = cache.get(id) ?? Buffer.from(hkdfSync('sha256', secret, '', `engine ${purpose}`, 32))
  cache.set(id, key)
  return key
}
