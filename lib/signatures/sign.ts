import { createPrivateKey, sign } from 'node:crypto'
import type { SecretKey } from './key-pair'
import { TRUSTED, UNTRUSTED } from './minisign-text'
import { ALGORITHM, digestOf } from './signature'

/** The four lines of a signature of minisign; the same content and comment make the same lines. */
export function signContent(content: string, secret: SecretKey, comment: string): string {
  const key = createPrivateKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      d: secret.seed.toString('base64url'),
      x: secret.publicKey.toString('base64url'),
    },
    format: 'jwk',
  })
  const ofContent = sign(null, digestOf(content), key)
  const ofComment = sign(null, Buffer.concat([ofContent, Buffer.from(comment)]), key)
  const line = Buffer.concat([Buffer.from(ALGORITHM), secret.keyId, ofContent])
  return [
    `${UNTRUSTED}signature of a plugin's files`,
    line.toString('base64'),
    `${TRUSTED}${comment}`,
    ofComment.toString('base64'),
    '',
  ].join('\n')
}
