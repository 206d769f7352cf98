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
 * Deletes the records that match `where` and keeps their contents for `days`, by one statement, so
 * that a million records take no memory of the process.
 */
export async function moveToTrash(
  tx: Db,
  entity: Entity,
  where: SQL,
  { days, deletedBy }: { days: number; deletedBy: string },
): Promise<Moved> {
  const id = randomUUID()
  // No field name can contain a $, so the row's alias can't clash.
  const count = await affectedRows(
    tx,
    sql`with "$gone" as (
        delete from ${tableSql(entity.table)} as "$row" where ${where} returning to_jsonb("$row") as data
      )
      insert into ${trashRecords} (batch_id, data) select ${id}::uuid, data from "$gone"`,
  )
  if (count === 0) return { count, batchId: null }
  // Read after the deletion, whose lock keeps the table from being changed.
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
