import { randomBytes } from 'node:crypto'
import { sha256 } from '@/lib/crypto/sha256'

const PREFIX = 'eng_'
/** Enough to distinguish keys in a list, too little to guess the rest. */
const VISIBLE_LENGTH = 12

export type NewApiKey = { key: string; prefix: string; hash: string }

/** A new key of 256 random bits. Only `prefix` and `hash` may be kept. */
export const generateApiKey = (): NewApiKey =>
  describeApiKey(PREFIX + randomBytes(32).toString('base64url'))

export const describeApiKey = (key: string): NewApiKey => ({
  key,
  prefix: key.slice(0, VISIBLE_LENGTH),
  hash: hashApiKey(key),
})

/** SHA-256 in hex: keys are long and random, so a slow hash would add nothing. */
const hashApiKey = (key: string): string => sha256(key, 'hex')

/** The key a request carries in `Authorization: Bearer` or `X-Engine-ApiKey`, or null. */
export function readApiKey(headers: Headers): string | null {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')
  return bearer?.[1] ?? headers.get('x-engine-apikey')?.trim() ?? null
}
