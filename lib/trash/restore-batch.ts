import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { databaseError } from '@/lib/db/errors'
import type { TrashBatchRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import { isRowConflict } from '@/lib/rows/conflicts'
import type { RestoreConflict } from './contract'
import { toConflict } from './describe-conflict'
import { findProblems, type Restoration } from './find-problems'
import { insertRestored } from './insert-restored'
import { prepareRestoration } from './prepare-restoration'
import { reattach } from './reattach'
import { batchesOf, clearProblems, getBatch, removeRestored, selectConflicts } from './store'

export type RestoreBatch = { batchId: string; actor: Actor; requestId: string }

export type Restored = {
  restored: number
  /** At most 1,000; none for callers without the right to read the entity, since they show values. */
  conflicts: RestoreConflict[]
  conflictCount: number
}

/**
 * Restores the records of a batch, including keys and audit fields, and what its deletion did to others. Records that can't be restored
 * now stay in the trash. One transaction: of two concurrent calls, the second gets what is left. Throws
 * `not_found`, `forbidden` without the rights to delete and write, `conflict` when the entity is gone.
 */
export async function restoreBatch(
  { db }: Pick<Deps, 'db'>,
  { batchId, actor, requestId }: RestoreBatch,
): Promise<Restored> {
  return db.transaction(async (tx) => {
    const root = await getBatch(tx, batchId, { lock: true })
    if (root.kind !== 'records') throw new Error('Plugins are restored by restorePlugin')
    const total: Restored = { restored: 0, conflicts: [], conflictCount: 0 }
    for (const batch of [root, ...(await batchesOf(tx, root))]) {
      const { restored, conflicts, conflictCount } = await restoreOne(tx, batch, actor)
      await recordAudit(tx, actor, {
        action: 'records.restore',
        objectType: batch.entity,
        details: { batchId: batch.id, restored, conflicts: conflictCount },
        requestId,
      })
      total.restored += batch.detached ? 0 : restored
      total.conflicts.push(...conflicts)
      total.conflictCount += conflictCount
    }
    return total
  })
}

async function restoreOne(tx: Db, batch: TrashBatchRow, actor: Actor): Promise<Restored> {
  if (batch.detached !== null) return reattach(tx, batch, batch.detached, actor)
  for (const action of ['delete', 'write'] as const)
    requireRight(actor, { entity: batch.entity, action })
  const restoration = await prepareRestoration(tx, batch)
  const restored = await restore(tx, restoration)
  await removeRestored(tx, batch, restored)
  const conflictCount = batch.recordCount - restored
  const isVisible = conflictCount > 0 && mayRead(actor, restoration.entity)
  const conflicts = isVisible ? await selectConflicts(tx, batch) : []
  return { restored, conflicts: conflicts.map(toConflict), conflictCount }
}

/** The number of retries: a key may be taken between the search for problems and its use. */
const MAX_ATTEMPTS = 4

/**
 * Usually there is no conflict, so this restores immediately where the database would detect one, and
 * searches for conflicts only if it does.
 */
async function restore(tx: Db, restoration: Restoration & { certain: boolean }): Promise<number> {
  await clearProblems(tx, restoration.batch.id)
  let cause: unknown
  for (let attempt = restoration.certain ? 0 : 1; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await findProblems(tx, restoration, { thorough: attempt > 1 })
    try {
      return await tx.transaction((inner) => insertRestored(inner, restoration))
    } catch (error) {
      if (!isRefusal(error)) throw error
      cause = error
    }
  }
  throw new AppError('unavailable', 'The records conflict with others being written; try again', {
    retryAfter: 1,
    cause,
  })
}

/** The values were refused, not the statement. */
const isRefusal = (error: unknown) =>
  isRowConflict(error) || databaseError(error)?.code.startsWith('22') === true
