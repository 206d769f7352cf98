import { trashBatches } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { readColumns } from '@/lib/rows/table-constraints'

const DAY_MS = 24 * 60 * 60_000

export type TrashOptions = { days: number; deletedBy: string }

type NewBatch = TrashOptions & {
  id: string
  count: number
  rootId?: string | null
  position?: number
  detached?: string
  kind?: 'records' | 'edit'
}

/** Records deleted or edited records of an entity as a batch. Call it while the table can't be changed. */
export async function newBatch(
  tx: Db,
  entity: Entity,
  { id, count, days, deletedBy, rootId = null, position = 0, detached, kind = 'records' }: NewBatch,
): Promise<void> {
  const columns = await readColumns(tx, entity.table)
  const kept = (name: string) => !detached || name === detached || entity.keys.includes(name)
  await tx.insert(trashBatches).values({
    id,
    kind,
    entity: entity.name,
    recordCount: count,
    columns: columns
      .filter(({ name }) => kept(name))
      .map(({ name, sqlType }) => ({ name, sqlType })),
    keys: entity.keys,
    properties: entity.properties.filter(({ name }) => kept(name)),
    deletedBy,
    expiresAt: new Date(Date.now() + days * DAY_MS),
    rootId,
    position,
    detached: detached ?? null,
  })
}
