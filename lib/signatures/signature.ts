import { createHash, verify } from 'node:crypto'
import { AppError } from '@/lib/errors'
import { bytesOfBase64, TRUSTED, UNTRUSTED } from './minisign-text'
import { keyIdOf, type PublicKey } from './public-key'

/** What a file of minisign holds; nothing of it is verified. */
export type Signature = {
  keyId: string
  ofContent: Buffer
  comment: string
  ofComment: Buffer
}

/** A signature with the digest of what it has to sign. */
export type Signed = { signature: Signature; digest: Buffer }

/** Signs a BLAKE2b-512 digest of the content. `Ed`, of the content itself, is minisign's former form. */
export const ALGORITHM = 'ED'
const BYTES = 74
const MAX_BYTES = 4_096

/** Reads the four lines of a signature; anything before, between or after them is refused. Throws `invalid_input`. */
export function readSignature(bytes: Uint8Array): Signature {
  if (bytes.length > MAX_BYTES) throw damaged('it is too long')
  const text = Buffer.from(bytes).toString('utf8')
  const lines = text.split('\n')
  const [untrusted = '', line = '', trusted = '', last = '', ...rest] = lines
  if (lines.length < 4) throw damaged('it is truncated')
  if (rest.length > 1 || (rest[0] ?? '') !== '') throw damaged('something follows its four lines')
  if (!untrusted.startsWith(UNTRUSTED) || !trusted.startsWith(TRUSTED))
    throw damaged('it has not the form of minisign')
  const signed = bytesOfBase64(line, BYTES)
  const ofComment = bytesOfBase64(last, 64)
  if (!signed || !ofComment) throw damaged('it is truncated or has other characters than base64')
  if (signed.toString('latin1', 0, 2) !== ALGORITHM)
    throw damaged('it has the former form of minisign; sign without -l')
  return {
    keyId: keyIdOf(signed.subarray(2, 10)),
    ofContent: signed.subarray(10),
    comment: trusted.slice(TRUSTED.length),
    ofComment,
  }
}

const damaged = (why: string) =>
  new AppError('invalid_input', `The signature of the archive is damaged: ${why}`)

export const digestOf = (content: Uint8Array | string): Buffer =>
  createHash('blake2b512').update(content).digest()

/** Whether the key made the signature, comment included, of the content with this digest. */
export function isSignedBy({ key, keyId }: PublicKey, signature: Signature, digest: Uint8Array) {
  const { ofContent, comment, ofComment } = signature
  return (
    signature.keyId === keyId &&
    verify(null, digest, key, ofContent) &&
    verify(null, Buffer.concat([ofContent, Buffer.from(comment)]), key, ofComment)
  )
}
