import { type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { requireRead } from '@/lib/registry/may-read'
import { targetOf } from '@/lib/registry/target'
import type { JsonObject } from '@/lib/values/json'
import { type Moved, moveToTrash } from './move-to-trash'
import { recordNotFound, recordWhere } from './record-where'
import { refuseReferenced } from './refuse-referenced'
import { requireMatch } from './require-match'
import { etagOf, selectRecord } from './select-records'
import { writableEntity } from './writable-entity'

export type DeleteRecord = {
  entityName: string
  id: string
  /** The `If-Match` header. */
  ifMatch: string | null
  /** The number of days for which the record can be restored; without it, it is removed for good. */
  undo?: number
  actor: Actor
  requestId: string
}

/**
 * Deletes one record, with `undo` to the trash. Throws `not_found`, `precondition_failed` when it is not the
 * version that `ifMatch` names, `conflict` while other records refer to it, `forbidden` when the definition
 * forbids deletion.
 */
export async function deleteRecord(deps: Deps, input: DeleteRecord): Promise<Moved> {
  const { id, ifMatch, undo, actor, requestId } = input
  const entity = await writableEntity(deps, input.entityName, 'delete')
  if (ifMatch !== null) requireRead(actor, entity, 'If-Match')
  const target = targetOf(entity)
  const where = recordWhere(target, id)
  try {
    return await deps.db.transaction(async (tx) => {
      const stored = await selectRecord(tx, target, where, { lock: true })
      if (!stored) throw recordNotFound(entity.name, id)
      requireMatch(ifMatch, etagOf(stored.json))
      const removed = undo
        ? await moveToTrash(tx, entity, where, { days: undo, deletedBy: actor.name })
        : { count: await destroy(tx, entity, where), batchId: null }
      const trashed: JsonObject = undo ? { batchId: removed.batchId, undoDays: undo } : {}
      const details = { count: removed.count, ...trashed }
      const audit = { action: 'records.delete', objectType: entity.name, objectId: id, details }
      await recordAudit(tx, actor, { ...audit, requestId })
      return removed
    })
  } catch (error) {
    return await refuseReferenced(deps, { entity, where, actor }, error)
  }
}

const destroy = (tx: Db, { table }: Entity, where: SQL): Promise<number> =>
  affectedRows(tx, sql`delete from ${tableSql(table)} where ${where}`)
