import { randomBytes } from 'node:crypto'
import type { AppSecret } from '@/lib/crypto/derive-key'
import { decrypt, encrypt } from '@/lib/crypto/stored-text'
import type { WebhookRow } from '@/lib/db/schema'

const SECRET_BYTES = 32

/** In the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export const sealSecret = (secret: AppSecret, webhookId: string, text: string): string =>
  encrypt(secret, { purpose: 'webhook-secret', id: webhookId }, text)

/** Those that sign now, the newer first; none when they were encrypted with another secret of the app, or while there is no address. */
export function secretsOf(
  secret: AppSecret,
  { id, ...row }: Pick<WebhookRow, 'id' | 'secret' | 'formerSecret' | 'formerUntil'>,
): string[] {
  const isFormerValid = row.formerUntil !== null && row.formerUntil.getTime() > Date.now()
  if (row.secret === null) return []
  const sealed = [row.secret, ...(isFormerValid && row.formerSecret ? [row.formerSecret] : [])]
  const texts = sealed.map((text) => decrypt(secret, { purpose: 'webhook-secret', id }, text))
  return texts.every((text) => text !== null) ? texts : []
}
