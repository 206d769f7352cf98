import { eq, lte } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { now } from '@/lib/db/functions'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'

/** Removes expired batches, each in a transaction of its own. */
export async function emptyTrash({ db }: Pick<Deps, 'db'>): Promise<void> {
  while (await db.transaction(emptyOne));
}

/** Whether there was one. Skips those that another instance is removing. */
async function emptyOne(tx: Db): Promise<boolean> {
  const [batch] = await tx
    .select()
    .from(trashBatches)
    .where(lte(trashBatches.expiresAt, now))
    .orderBy(trashBatches.expiresAt)
    .limit(1)
    .for('update', { skipLocked: true })
  if (!batch) return false
  await tx.delete(trashRecords).where(eq(trashRecords.batchId, batch.id))
  await tx.delete(trashBatches).where(eq(trashBatches.id, batch.id))
  await recordAudit(
    tx,
    { type: 'system' },
    {
      action: 'trash.empty',
      objectType: batch.entity,
      details: { batchId: batch.id, count: batch.recordCount },
    },
  )
  return true
}
