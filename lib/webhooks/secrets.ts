import { randomBytes } from 'node:crypto'
import { deriveKey } from '@/lib/crypto/derive-key'
import { seal, unseal } from '@/lib/crypto/seal'
import type { WebhookRow } from '@/lib/db/schema'

const SECRET_BYTES = 32

/** In the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export const sealSecret = (secret: string, webhookId: string, text: string): string =>
  seal(deriveKey(secret, 'webhook-secret'), webhookId, text)

/** Those that sign now, the newer first; none when they were encrypted with another secret of the app, or while there is no address. */
export function secretsOf(
  secret: string,
  { id, ...row }: Pick<WebhookRow, 'id' | 'secret' | 'formerSecret' | 'formerUntil'>,
): string[] {
  const isFormerValid = row.formerUntil !== null && row.formerUntil.getTime() > Date.now()
  if (row.secret === null) return []
  const sealed = [row.secret, ...(isFormerValid && row.formerSecret ? [row.formerSecret] : [])]
  try {
    return sealed.map((text) => unseal(deriveKey(secret, 'webhook-secret'), id, text))
  } catch {
    return [] // decryption does not report why it failed
  }
}
