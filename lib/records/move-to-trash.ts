import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { readColumns } from './table-columns'

const DAY_MS = 24 * 60 * 60_000

export type Moved = {
  count: number
  /** Null when there was nothing to delete. */
  batchId: string | null
}

/**
 * Deletes the records that `where` finds and keeps them as they were for `days`, by one statement, so
 * that a million take no memory of ours.
 */
export async function moveToTrash(
  tx: Db,
  entity: Entity,
  where: SQL,
  { days, deletedBy }: { days: number; deletedBy: string },
): Promise<Moved> {
  const id = randomUUID()
  // No field can have a $ in its name, so the row's own name is nobody else's.
  const count = await affectedRows(
    tx,
    sql`with "$gone" as (
        delete from ${tableSql(entity.table)} as "$row" where ${where} returning to_jsonb("$row") as data
      )
      insert into ${trashRecords} (batch_id, data) select ${id}::uuid, data from "$gone"`,
  )
  if (count === 0) return { count, batchId: null }
  // Read after the deletion, which keeps the table from being changed.
  const columns = await readColumns(tx, entity.table)
  await tx.insert(trashBatches).values({
    id,
    entity: entity.name,
    recordCount: count,
    columns: columns.map(({ name, sqlType }) => ({ name, sqlType })),
    keys: entity.keys,
    properties: entity.properties,
    deletedBy,
    expiresAt: new Date(Date.now() + days * DAY_MS),
  })
  return { count, batchId: id }
}
