import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { endOtherSessions } from '@/lib/auth/session-store'
import { sessions } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import type { Caller } from './confirm-identity'
import { type Account, readAccount } from './factor-store'
import { countRecoveryCodes, dropRecoveryCodes, replaceRecoveryCodes } from './recovery-codes'

type Change = Caller & { action: string; details?: JsonObject }

export const recordChange = (tx: Db, { actor, requestId, action, details }: Change) =>
  recordAudit(tx, actor, {
    action: `users.${action}`,
    objectType: 'user',
    objectId: actor.userId,
    details,
    requestId,
  })

/**
 * After a factor was added: with the first one this session has passed it, and the others, which a
 * password alone began, end. Returns recovery codes where the user had none, else null.
 */
export async function afterAdding(
  tx: Db,
  before: Account,
  { actor }: Caller,
): Promise<string[] | null> {
  if (!before.hasFactor) {
    await tx.update(sessions).set({ strong: true }).where(eq(sessions.id, actor.sessionId))
    await endOtherSessions(tx, actor.userId, actor.sessionId)
  }
  const left = await countRecoveryCodes(tx, actor.userId)
  return left === 0 ? replaceRecoveryCodes(tx, actor.userId) : null
}

/**
 * After a factor was removed: recovery codes go with the last one. Throws `conflict` when a role
 * requires one and none is left.
 */
export async function afterRemoving(tx: Db, userId: string): Promise<void> {
  const { hasFactor, isRequired } = await readAccount(tx, userId)
  if (hasFactor) return
  if (isRequired)
    throw new AppError(
      'conflict',
      'Your role requires a second factor; add another one before you remove this one',
    )
  await dropRecoveryCodes(tx, userId)
}
