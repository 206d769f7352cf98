import { and, eq } from 'drizzle-orm'
import { type PasskeyRow, passkeys } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import { afterRemoving, recordChange } from './change-factors'
import { type Caller, requireConfirmed } from './confirm-identity'
import { lockAccount } from './factor-store'

/** Renames one of the caller's passkeys. Throws `not_found`. */
export const renamePasskey = (
  { db }: Pick<Deps, 'db'>,
  { id, name }: { id: string; name: string },
  caller: Caller,
): Promise<PasskeyRow> =>
  db.transaction(async (tx) => {
    const query = tx.update(passkeys).set({ name }).where(ofCaller(id, caller))
    const [renamed] = isUuid(id) ? await query.returning() : []
    if (!renamed) throw unknown()
    await recordChange(tx, { ...caller, action: 'rename-passkey', details: { name } })
    return renamed
  })

/**
 * Removes one of the caller's passkeys. Throws `forbidden` for a session that must confirm first,
 * `not_found`, and `conflict` for the last factor of a user whose role requires one.
 */
export async function removePasskey(
  { db }: Pick<Deps, 'db'>,
  id: string,
  caller: Caller,
): Promise<void> {
  const { userId } = caller.actor
  await requireConfirmed(db, caller.actor)
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const query = tx.delete(passkeys).where(ofCaller(id, caller))
    const [removed] = isUuid(id) ? await query.returning({ name: passkeys.name }) : []
    if (!removed) throw unknown()
    await afterRemoving(tx, userId)
    await recordChange(tx, { ...caller, action: 'remove-passkey', details: removed })
  })
}

const ofCaller = (id: string, { actor }: Caller) =>
  and(eq(passkeys.id, id), eq(passkeys.userId, actor.userId))

const unknown = () => new AppError('not_found', 'You have no passkey with this id')
