import { type AppSecret, deriveKey, type KeyPurpose, readingKeys } from './derive-key'
import { seal, unseal } from './seal'

/** Which text of the database this is: the id of its row ties what is encrypted to it. */
export type Place = { purpose: KeyPurpose; id: string }

export const encrypt = (secret: AppSecret, { purpose, id }: Place, text: string): string =>
  seal(deriveKey(secret, purpose), id, text)

/** Null when it was encrypted with a secret that is neither set as the current nor as the previous one. */
export function decrypt(secret: AppSecret, { purpose, id }: Place, sealed: string): string | null {
  for (const key of readingKeys(secret, purpose)) {
    const text = unsealOrNull(key, id, sealed)
    if (text !== null) return text
  }
  return null
}

/** The same text, encrypted with the current secret; null when it is already, or none reads it. */
export function reencrypt(secret: AppSecret, place: Place, sealed: string): string | null {
  if (unsealOrNull(deriveKey(secret, place.purpose), place.id, sealed) !== null) return null
  const text = decrypt(secret, place, sealed)
  return text === null ? null : encrypt(secret, place, text)
}

function unsealOrNull(key: Buffer, id: string, sealed: string): string | null {
  try {
    return unseal(key, id, sealed)
  } catch {
    return null // decryption does not report why it failed
  }
}
