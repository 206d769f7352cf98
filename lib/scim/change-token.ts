import { requireGrantableExpiry } from '@/lib/api-keys/grantable'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireGrantable } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { generateScimToken } from '@/lib/auth/scim-token'
import { type ScimTokenRow, scimTokens } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { lockAdministrators } from '@/lib/users/store'
import type { NewScimToken, ScimToken } from './contract'

type Source = Pick<Deps, 'db'>
type Caller = { actor: Actor; requestId: string }

export async function findToken(db: Db): Promise<ScimToken | null> {
  const [found] = await db.select().from(scimTokens)
  return found ? toToken(found) : null
}

/**
 * Makes the token; one that there is stops working at once. Throws `forbidden` for a caller without all rights, since an
 * identity provider may make administrators.
 */
export const makeToken = ({ db }: Source, { actor, requestId }: Caller): Promise<NewScimToken> =>
  db.transaction(async (tx) => {
    await requireGrantable(tx, actor, ['ADMIN'])
    await requireGrantableExpiry(tx, actor, null)
    await lockAdministrators(tx)
    const [former] = await tx.delete(scimTokens).returning()
    const { token, prefix, hash } = generateScimToken()
    const values = { prefix, hash, createdBy: actor.name }
    const made = one(await tx.insert(scimTokens).values(values).returning())
    await recordAudit(tx, actor, {
      action: former ? 'scim-token.rotate' : 'scim-token.create',
      objectType: 'settings',
      details: { ...(former ? { before: { prefix: former.prefix } } : {}), after: { prefix } },
      requestId,
    })
    return { ...toToken(made), token }
  })

/** Revokes the token, if there is one, which turns SCIM off. */
export const revokeToken = ({ db }: Source, { actor, requestId }: Caller): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const [former] = await tx.delete(scimTokens).returning()
    if (!former) return
    await recordAudit(tx, actor, {
      action: 'scim-token.revoke',
      objectType: 'settings',
      details: { before: { prefix: former.prefix } },
      requestId,
    })
  })

const toToken = ({ prefix, createdBy, createdAt, lastUsedAt }: ScimTokenRow): ScimToken => ({
  prefix,
  createdBy,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
