import { recordAudit } from '@/lib/audit/record-audit'
import { generateApiKey } from '@/lib/auth/api-key'
import { requireGrantable } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import type { ApiKeyRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findUser } from '@/lib/users/store'
import type { NewApiKey } from './contract'
import { requireGrantableExpiry, requireGrantableRoles, requireGrantableScopes } from './grantable'
import { getKey, replaceSecret, toApiKey } from './store'

/**
 * Replaces the secret of the key; the old one becomes invalid immediately. Throws `not_found`,
 * `conflict` for a key that is revoked or expired, and `forbidden` for one that has more rights
 * than the caller.
 */
export const rotateKey = (
  { db }: Pick<Deps, 'db'>,
  id: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<NewApiKey> =>
  db.transaction(async (tx) => {
    const before = await getKey(tx, id, { lock: true })
    await requireGrantableKey(tx, actor, before)
    await requireGrantableExpiry(tx, actor, before.expiresAt)
    const { status } = toApiKey(before)
    if (status !== 'ACTIVE')
      throw new AppError('conflict', `This key is ${status.toLowerCase()}; create a new one`)
    const { key, prefix, hash } = generateApiKey()
    const rotated = toApiKey(await replaceSecret(tx, id, { prefix, hash }))
    await recordAudit(tx, actor, {
      action: 'api-keys.rotate',
      objectType: 'api_key',
      objectId: id,
      details: { before: { prefix: before.prefix }, after: { prefix } },
      requestId,
    })
    return { ...rotated, apiKey: key }
  })

/** Throws `forbidden` when the key has more rights than the caller. */
async function requireGrantableKey(
  tx: Db,
  actor: Actor,
  { scopes, roles, ownerId }: ApiKeyRow,
): Promise<void> {
  if (roles) return requireGrantableRoles(tx, actor, roles)
  requireGrantableScopes(actor, scopes)
  if (scopes !== null || ownerId === null) return
  const owner = await findUser(tx, ownerId)
  await requireGrantable(tx, actor, owner?.roles ?? [])
}
