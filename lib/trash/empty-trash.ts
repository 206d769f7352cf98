import { eq, lte, sql } from 'drizzle-orm'
import { type AuditActor, recordAudit } from '@/lib/audit/record-audit'
import { now } from '@/lib/db/functions'
import { type RemovedTable, type TrashBatchRow, trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { forgetRecords } from '@/lib/tables/records-aside'
import { dropTotal } from '@/lib/totals/keep-total'

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
  await destroyBatch(tx, batch, { actor: { type: 'system' } })
  return true
}

type By = { actor: AuditActor; requestId?: string }

/** Deletes what is in a batch for good. */
export async function destroyBatch(
  tx: Db,
  batch: TrashBatchRow,
  { actor, requestId }: By,
): Promise<void> {
  if (batch.removed) {
    await dropTables(tx, batch.removed.tables)
    await forgetRecords(tx, batch.id, batch.removed)
  }
  await tx.delete(trashRecords).where(eq(trashRecords.batchId, batch.id))
  await tx.delete(trashBatches).where(eq(trashBatches.id, batch.id))
  await recordAudit(tx, actor, {
    action: 'trash.empty',
    objectType: batch.kind === 'plugin' ? 'plugin' : batch.entity,
    objectId: batch.kind === 'plugin' ? batch.entity : undefined,
    details: { batchId: batch.id, count: batch.recordCount },
    requestId,
  })
}

/** Tables of uninstalled plugins, with the schemas that hold nothing else. */
async function dropTables(tx: Db, tables: readonly RemovedTable[]): Promise<void> {
  for (const { home, away } of tables)
    for (const statement of dropTotal({ schema: away, name: home.name }))
      await tx.execute(statement)
  for (const away of new Set(tables.map((table) => table.away)))
    await tx.execute(sql`drop schema if exists ${sql.identifier(away)} cascade`)
}
