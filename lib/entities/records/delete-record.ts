import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { refuseReferenced } from '@/lib/entities/refuse-referenced'
import { targetOf } from '@/lib/entities/target'
import type { Deps } from '@/lib/runtime'
import { recordNotFound, recordWhere } from './record-where'
import { requireMatch } from './require-match'
import { etagOf, selectRecord } from './select-records'
import { writableEntity } from './writable-entity'

export type DeleteRecord = {
  entityName: string
  id: string
  /** The `If-Match` header. */
  ifMatch: string | null
  actor: Actor
  requestId: string
}

/**
 * Deletes one record; answers 1. Throws `not_found`, `precondition_failed` when it is not the version
 * that `ifMatch` names, `conflict` while other records refer to it, `forbidden` when the definition
 * forbids deletion.
 */
export async function deleteRecord(deps: Deps, input: DeleteRecord): Promise<number> {
  const { id, ifMatch, actor, requestId } = input
  const entity = await writableEntity(deps, input.entityName, 'delete')
  const target = targetOf(entity)
  const where = recordWhere(target, id)
  try {
    return await deps.db.transaction(async (tx) => {
      const stored = await selectRecord(tx, target, where, { lock: true })
      if (!stored) throw recordNotFound(entity.name, id)
      requireMatch(ifMatch, etagOf(stored.json))
      const effected = await affectedRows(
        tx,
        sql`delete from ${tableSql(entity.table)} where ${where}`,
      )
      const details = { count: effected }
      const audit = { action: 'records.delete', objectType: entity.name, objectId: id, details }
      await recordAudit(tx, actor, { ...audit, requestId })
      return effected
    })
  } catch (error) {
    return await refuseReferenced(deps, entity, error)
  }
}
