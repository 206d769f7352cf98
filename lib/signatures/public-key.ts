import { createPublicKey, type KeyObject } from 'node:crypto'
import { AppError } from '@/lib/errors'
import { bytesOfBase64, UNTRUSTED } from './minisign-text'

/** A key of minisign's form. `text`: its line in base64, as publishers give it out. */
export type PublicKey = { keyId: string; text: string; key: KeyObject }

const ALGORITHM = 'Ed'
const BYTES = 42
/** Of a file with its comment. */
const MAX_CHARS = 2_000

/** Reads the line of a key, or the whole file, whose first line is a comment. Throws `invalid_input`. */
export function readPublicKey(input: string): PublicKey {
  const lines = input.slice(0, MAX_CHARS).trim().split(/\r?\n/)
  if (lines[0]?.startsWith(UNTRUSTED)) lines.shift()
  const [text = '', ...rest] = lines
  const bytes = rest.length === 0 ? bytesOfBase64(text, BYTES) : null
  if (!bytes || bytes.toString('latin1', 0, 2) !== ALGORITHM)
    throw new AppError('invalid_input', NOT_ONE)
  return { keyId: keyIdOf(bytes.subarray(2, 10)), text, key: keyOf(bytes.subarray(10)) }
}

const NOT_ONE =
  'This is no public key of minisign: paste the line of the .pub file that begins with RW'

/** The line of a public key. */
export const publicKeyText = (keyId: Uint8Array, key: Uint8Array): string =>
  Buffer.concat([Buffer.from(ALGORITHM), keyId, key]).toString('base64')

/** As minisign shows it: a number, least byte first, in hex. */
export const keyIdOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes).reverse().toString('hex').toUpperCase()

const keyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  })
