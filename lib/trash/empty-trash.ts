import { eq, lte, sql } from 'drizzle-orm'
import { type AuditActor, recordAudit } from '@/lib/audit/record-audit'
import { type Actor, type Right, requireRight } from '@/lib/auth/rights'
import { type RemovedTable, type TrashBatchRow, trashBatches, trashRecords } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { forgetRecords } from '@/lib/tables/records-aside'
import { dropTotal } from '@/lib/totals/keep-total'
import { limitsOf, requireThere } from './limits'
import { isOfRecords, visibleIn } from './list-trash'
import { batchesOf, getBatch, selectBatchIds } from './store'

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
async function destroyBatch(tx: Db, batch: TrashBatchRow, { actor, requestId }: By): Promise<void> {
  if (batch.removed) {
    await dropTables(tx, batch.removed.tables)
    await forgetRecords(tx, batch.id, batch.removed)
  }
  await tx.delete(trashRecords).where(eq(trashRecords.batchId, batch.id))
  await tx.delete(trashBatches).where(eq(trashBatches.id, batch.id))
  await recordAudit(tx, actor, {
    action: 'trash.empty',
    ...(isOfRecords(batch)
      ? { objectType: batch.entity }
      : { objectType: batch.kind, objectId: batch.entity }),
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

type RemoveBatch = { batchId: string; actor: Actor; requestId: string }

/** Deletes what is in a batch for good, with what its deletion took along. Returns the number of records. Throws `not_found`, `forbidden`. */
export async function removeBatch(
  deps: Deps,
  { batchId, actor, requestId }: RemoveBatch,
): Promise<number> {
  const limits = await limitsOf(deps, actor)
  return deps.db.transaction(async (tx) => {
    const root = await getBatch(tx, batchId, { lock: true })
    for (const right of rightsOf(root)) requireRight(actor, right)
    await requireThere(tx, limits, root)
    const all = [root, ...(await batchesOf(tx, root))]
    // Records that only lost a reference stayed: nothing of them is deleted.
    for (const batch of all)
      if (batch.detached === null) for (const right of rightsOf(batch)) requireRight(actor, right)
    for (const batch of all) await destroyBatch(tx, batch, { actor, requestId })
    return root.recordCount
  })
}

type EmptyTrash = { actor: Actor; requestId: string; entity?: string }

/** Deletes for good whatever of the trash `actor` may delete, of one entity if given. Returns the number of batches. */
export async function removeAllBatches(deps: Deps, { entity, ...by }: EmptyTrash): Promise<number> {
  const visible = await visibleIn(deps.db, await limitsOf(deps, by.actor), entity)
  let removed = 0
  for (const batchId of await selectBatchIds(deps.db, visible)) {
    const isRemoved = await removeBatch(deps, { batchId, ...by }).then(() => true, isLeft)
    if (isRemoved) removed++
  }
  return removed
}

/** It was restored or removed meanwhile, or took along what this caller may not delete. */
function isLeft(error: unknown): false {
  const code = (error as { code?: string }).code
  if (code === 'not_found' || code === 'forbidden') return false
  throw error
}

/** Of a plugin, those that uninstalling it needed: its tables are dropped with their records. */
function rightsOf({
  kind,
  entity,
  removed,
}: Pick<TrashBatchRow, 'kind' | 'entity' | 'removed'>): Right[] {
  if (kind === 'policy' || kind === 'role') return ['security:manage']
  if (kind !== 'plugin') return [{ entity, action: 'delete' }]
  const tables = removed?.tables ?? []
  return [
    'plugins:install',
    ...tables.map((table) => ({ entity: table.entity, action: 'delete' }) as const),
  ]
}
