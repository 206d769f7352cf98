import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { deleteUser, lockAdministrators, lockUser } from './store'
import { requireAdministrator } from './update-user'

/**
 * Deletes the user with their keys and links. Throws `not_found`, `forbidden` for a user who has
 * more rights than the caller, and `conflict` for the last administrator.
 */
export const removeUser = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const before = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, before.roles)
    await deleteUser(tx, userId)
    await requireAdministrator(tx, before)
    const { email, roles, status } = before
    await recordAudit(tx, actor, {
      action: 'users.delete',
      objectType: 'user',
      objectId: userId,
      details: { before: { email, roles, status } },
      requestId,
    })
  })
