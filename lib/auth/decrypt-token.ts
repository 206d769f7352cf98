import { type JWTDecryptResult, jwtDecrypt } from 'jose'
import { type AppSecret, type KeyPurpose, readingKeys } from '@/lib/crypto/derive-key'

/** The content of a cookie, encrypted with the current or the previous secret. Throws when it is expired, altered or foreign. */
export async function decryptToken(
  token: string,
  secret: AppSecret,
  purpose: KeyPurpose,
): Promise<JWTDecryptResult> {
  const [key, ...others] = readingKeys(secret, purpose)
  return others.reduce(
    (read, other) => read.catch(() => jwtDecrypt(token, other)),
    jwtDecrypt(token, key as Buffer),
  )
}
