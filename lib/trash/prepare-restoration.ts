import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { TrashBatchRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import { readColumns } from '@/lib/rows/table-constraints'
import { tightenedRules } from '@/lib/tables/plan-columns'
import type { Restoration } from './find-problems'
import { planRestore } from './restore-plan'

/**
 * How a batch becomes rows of its entity's table, which is locked until the commit. `certain`:
 * the database detects every problem of a record. Throws `conflict` when the entity is
 * gone, `forbidden` when its definition forbids new records or deletions.
 */
export async function prepareRestoration(
  tx: Db,
  batch: TrashBatchRow,
): Promise<Restoration & { certain: boolean }> {
  const entity = await lockedEntity(tx, batch.entity)
  const { write, delete: remove } = entity.definition.permissions
  if (!write || !remove)
    throw new AppError(
      'forbidden',
      `The entity "${entity.name}" forbids restoring by its definition`,
    )
  const columns = await readColumns(tx, entity.table)
  const plan = planRestore(entity, batch, columns)
  const isTighter = entity.properties.some((property) => {
    const before = batch.properties.find(({ name }) => name === property.name)
    return tightenedRules(before, property).length > 0
  })
  return { entity, batch, plan, columns, certain: plan.misfits.length === 0 && !isTighter }
}

/** Locks the table before reading its definition, as changes of definitions do. Throws `conflict` when it is gone. */
export async function lockedEntity(tx: Db, name: string) {
  const [known] = await entitiesNamed(tx, [name])
  if (known) {
    const table = tableSql({ schema: known.row.tableSchema, name: known.row.tableName })
    await tx.execute(sql`lock table ${table} in row exclusive mode`)
  }
  const [found] = known ? await entitiesNamed(tx, [name]) : []
  if (found) return mergeEntity(found.row, found.schema)
  throw new AppError('conflict', `The entity "${name}" is no longer installed`)
}
