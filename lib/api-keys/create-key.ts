import { recordAudit } from '@/lib/audit/record-audit'
import { generateApiKey } from '@/lib/auth/api-key'
import { requireClearRoles } from '@/lib/auth/require-clear-roles'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { CreateKey, NewApiKey } from './contract'
import { requireGrantableExpiry, requireGrantableRoles, requireGrantableScopes } from './grantable'
import { insertKey, toApiKey } from './store'

/**
 * Creates a key of the caller's account, or one with roles of its own. Throws `forbidden` for a scope or role the caller
 * may not grant, for a key that would expire later than the key that the caller uses, and for a key of an account
 * where the caller has none; `invalid_input` for new roles whose names look like others.
 */
export function createKey(
  { db }: Pick<Deps, 'db'>,
  { name, scopes = null, roles = null, expiresAt = null }: CreateKey,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<NewApiKey> {
  if (!roles) requireGrantableScopes(actor, scopes)
  const { key, prefix, hash } = generateApiKey()
  return db.transaction(async (tx) => {
    await requireGrantableExpiry(tx, actor, expiresAt)
    if (roles) {
      await requireGrantableRoles(tx, actor, roles)
      await requireClearRoles(tx, roles)
    }
    const rights = roles ? { roles, scopes } : { ownerId: accountOf(actor), scopes }
    const made = toApiKey(await insertKey(tx, { name, expiresAt, prefix, hash, ...rights }))
    await recordAudit(tx, actor, {
      action: 'api-keys.create',
      objectType: 'api_key',
      objectId: made.id,
      details: { after: { name, prefix, scopes, roles, expiresAt: made.expiresAt } },
      requestId,
    })
    return { ...made, apiKey: key }
  })
}

function accountOf({ userId }: Actor): string {
  if (userId !== null) return userId
  throw new AppError(
    'forbidden',
    'This API key has no account that another key could act as; give the new key roles',
  )
}
