import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Effect } from './contract'
import { deleteLinked } from './delete/delete-linked'
import { deletionLinks, withoutEffects } from './delete/deletion-links'
import { newBatch, type TrashOptions } from './delete/trash-batch'

export type Moved = {
  count: number
  /** Null when there was nothing to delete. */
  batchId: string | null
  /** What happened to records that refer to the deleted ones. */
  effects: Effect[]
}

type Options = TrashOptions & { actor?: Actor | null; others?: 'follow' | 'stay' }

/**
 * Deletes the records that match `where` and keeps their contents for `days`, by one statement, so
 * that a million records take no memory of the process. Records that go with them by references are
 * kept in batches of their own, restored with this one; if others are to `stay`, they prevent the deletion,
 * whatever their references say. Throws as `deleteLinked` does; without an `actor` nothing is forbidden.
 */
export async function moveToTrash(
  tx: Db,
  entity: Entity,
  where: SQL,
  { actor = null, others = 'follow', ...trash }: Options,
): Promise<Moved> {
  const linked = await deletionLinks(tx, entity)
  if (linked) {
    const links = others === 'stay' ? withoutEffects(linked) : linked
    return deleteLinked(tx, links, where, { trash, actor })
  }
  const id = randomUUID()
  // No field name can contain a $, so the row's alias can't clash.
  const count = await affectedRows(
    tx,
    sql`with "$deleted" as (
        delete from ${tableSql(entity.table)} as "$row" where ${where} returning "$row".*
      )
      insert into ${trashRecords} (batch_id, data) select ${id}::uuid, to_jsonb("$deleted") from "$deleted"`,
  )
  // After the deletion, whose lock keeps the table from being changed.
  if (count > 0) await newBatch(tx, entity, { ...trash, id, count })
  return { count, batchId: count > 0 ? id : null, effects: [] }
}

/** What a deletion did beyond the records that were asked for, for responses and the audit log; nothing when it did nothing. */
export const anyEffects = ({ effects }: { effects: Effect[] }): { effects?: Effect[] } =>
  effects.length > 0 ? { effects } : {}
