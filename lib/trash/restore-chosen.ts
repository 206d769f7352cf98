import { and, eq, inArray, sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { type RestoreBatch, type Restored, restoreBatch } from './restore-batch'
import { getBatch } from './store'

/**
 * Restores some records of a batch, by their ids in the trash: they become a batch of their own, which is restored in
 * the same transaction. What the deletion took along stays with the others. Throws as `restoreBatch` does.
 */
export async function restoreChosen(
  { db }: Pick<Deps, 'db'>,
  { records, ...options }: RestoreBatch & { records: readonly number[] },
): Promise<Restored> {
  return db.transaction(async (tx) => {
    const batch = await getBatch(tx, options.batchId, { lock: true })
    if (batch.kind !== 'records' || batch.detached !== null)
      throw new AppError('invalid_input', 'Only deleted records can be restored one by one')
    const id = crypto.randomUUID()
    const chosen = and(eq(trashRecords.batchId, batch.id), inArray(trashRecords.id, [...records]))
    const count = await affectedRows(
      tx,
      sql`update ${trashRecords} set batch_id = ${id}::uuid where ${chosen}`,
    )
    if (count === 0) throw new AppError('not_found', 'None of these records is in this batch')
    if (count === batch.recordCount) {
      await tx.update(trashRecords).set({ batchId: batch.id }).where(eq(trashRecords.batchId, id))
      return restoreBatch({ db: tx }, options)
    }
    await tx.insert(trashBatches).values({ ...batch, id, recordCount: count })
    await tx
      .update(trashBatches)
      .set({ recordCount: batch.recordCount - count })
      .where(eq(trashBatches.id, batch.id))
    return restoreBatch({ db: tx }, { ...options, batchId: id })
  })
}
