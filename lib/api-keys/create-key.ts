import { recordAudit } from '@/lib/audit/record-audit'
import { generateApiKey } from '@/lib/auth/api-key'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { CreateKey, NewApiKey } from './contract'
import { requireGrantableExpiry, requireGrantableScopes } from './grantable'
import { insertKey, toApiKey } from './store'

/**
 * Creates a key of the caller's account. Throws `forbidden` for a scope the caller does not have,
 * and for a key that would expire later than the key that the caller uses.
 */
export function createKey(
  { db }: Pick<Deps, 'db'>,
  { name, scopes = null, expiresAt = null }: CreateKey,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<NewApiKey> {
  requireGrantableScopes(actor, scopes)
  const { key, prefix, hash } = generateApiKey()
  return db.transaction(async (tx) => {
    await requireGrantableExpiry(tx, actor, expiresAt)
    const owner = { ownerId: actor.userId }
    const made = toApiKey(await insertKey(tx, { name, scopes, expiresAt, prefix, hash, ...owner }))
    await recordAudit(tx, actor, {
      action: 'api-keys.create',
      objectType: 'api_key',
      objectId: made.id,
      details: { after: { name, prefix, scopes, expiresAt: made.expiresAt } },
      requestId,
    })
    return { ...made, apiKey: key }
  })
}
