import { asc, notInArray, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireClearRoles } from '@/lib/auth/require-clear-roles'
import type { Actor } from '@/lib/auth/rights'
import { SERVER_LOCKS } from '@/lib/db/locks'
import { secondFactorRoles } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

/** Roles that require a second factor, by name. */
export async function listRequiredRoles(db: Db): Promise<string[]> {
  const { role } = secondFactorRoles
  const found = await db.select({ role }).from(secondFactorRoles).orderBy(asc(role))
  return found.map((row) => row.role)
}

/**
 * Replaces the roles that require a second factor. From its commit on, sessions of users of these
 * roles who have none can only set one up. Returns them as they are stored. Throws `invalid_input` for new
 * names that could be taken for others.
 */
export const setRequiredRoles = (
  { db }: Pick<Deps, 'db'>,
  roles: readonly string[],
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<string[]> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SERVER_LOCKS.administrators})`)
    const before = await listRequiredRoles(tx)
    await requireClearRoles(tx, roles, before)
    const after = [...roles].sort()
    const kept = after.length > 0 ? notInArray(secondFactorRoles.role, after) : undefined
    await tx.delete(secondFactorRoles).where(kept)
    if (after.length > 0)
      await tx
        .insert(secondFactorRoles)
        .values(after.map((role) => ({ role })))
        .onConflictDoNothing()
    await recordAudit(tx, actor, {
      action: 'security.require-second-factor',
      objectType: 'settings',
      details: { before, after },
      requestId,
    })
    return listRequiredRoles(tx)
  })
