import { and, eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { externalIdentities } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import type { Identity } from './identity-contract'
import { canonicalIssuer, findRolesProvider, listIdentities } from './identity-store'
import { findUser, lockUser, updateUser } from './store'

/** The accounts at providers by which the user signs in. Throws `not_found`. */
export async function readIdentities(
  { db, settings: { OIDC } }: Pick<Deps, 'db' | 'settings'>,
  userId: string,
): Promise<Identity[]> {
  if (!(await findUser(db, userId)))
    throw new AppError('not_found', 'There is no user with this id')
  const source = await findRolesProvider(db, OIDC, userId)
  const isOf = (known: OidcProvider, issuer: string) => canonicalIssuer(known.issuer) === issuer
  return (await listIdentities(db, userId)).map((row) => {
    const { id: identityId, provider, issuer, email, createdAt, lastUsedAt } = row
    const label = OIDC.find((known) => isOf(known, issuer))?.label ?? provider
    return {
      ...{ identityId, provider, label, issuer, email },
      managesRoles: source !== null && isOf(source, issuer),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }
  })
}

/**
 * Ends the link, and with it the sessions of the user. The next sign-in by the provider links again, by the rules for a first
 * one. Throws `not_found`, and `forbidden` for a user who has more rights than the caller.
 */
export const unlinkIdentity = (
  { db }: Pick<Deps, 'db'>,
  { userId, identityId }: { userId: string; identityId: string },
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const { roles } = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, roles)
    const ofUser = and(eq(externalIdentities.id, identityId), eq(externalIdentities.userId, userId))
    const [removed] = isUuid(identityId)
      ? await tx.delete(externalIdentities).where(ofUser).returning()
      : []
    if (!removed) throw new AppError('not_found', 'This user has no link with this id')
    await updateUser(tx, userId, {}, { endSessions: true })
    const { provider, email } = removed
    await recordAudit(tx, actor, {
      action: 'users.unlink-identity',
      objectType: 'user',
      objectId: userId,
      details: { provider, email },
      requestId,
    })
  })
