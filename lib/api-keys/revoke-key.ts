import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { ApiKey } from './contract'
import { getKey, revoke, toApiKey } from './store'

/** Revokes the key permanently; it stays in the list. Throws `not_found`. */
export const revokeKey = (
  { db }: Pick<Deps, 'db'>,
  id: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<ApiKey> =>
  db.transaction(async (tx) => {
    const { name, prefix } = await getKey(tx, id, { lock: true })
    const revoked = toApiKey(await revoke(tx, id))
    await recordAudit(tx, actor, {
      action: 'api-keys.revoke',
      objectType: 'api_key',
      objectId: id,
      details: { name, prefix },
      requestId,
    })
    return revoked
  })
