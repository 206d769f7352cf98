import { type Actor, type Right, requireRight } from '@/lib/auth/rights'
import type { TrashBatchRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { destroyBatch } from './empty-trash'
import { visibleIn } from './list-trash'
import { batchesOf, getBatch, selectBatchIds } from './store'

type RemoveBatch = { batchId: string; actor: Actor; requestId: string }

/** Deletes what is in a batch for good, with what its deletion took along. Returns the number of records. Throws `not_found`, `forbidden`. */
export async function removeBatch(
  { db }: Pick<Deps, 'db'>,
  { batchId, actor, requestId }: RemoveBatch,
): Promise<number> {
  return db.transaction(async (tx) => {
    const root = await getBatch(tx, batchId, { lock: true })
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
export async function removeAllBatches(
  deps: Pick<Deps, 'db'>,
  { entity, ...by }: EmptyTrash,
): Promise<number> {
  const visible = await visibleIn(deps.db, by.actor, entity)
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
  if (kind !== 'plugin') return [{ entity, action: 'delete' }]
  const tables = removed?.tables ?? []
  return [
    'plugins:install',
    ...tables.map((table) => ({ entity: table.entity, action: 'delete' }) as const),
  ]
}
