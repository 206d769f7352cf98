import type { SQL } from 'drizzle-orm'
import { around } from '@/lib/around'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireCurrent } from '@/lib/registry/definition-version'
import { requireRead } from '@/lib/registry/may-read'
import { listEntities, withCurrentEntity } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { etagOf, selectRecord } from '@/lib/rows/select-records'
import { refuseReferenced } from './blockers'
import { anyEffects, hasEffects, keptDetails, type Removed, removeRecords } from './delete-linked'
import { deleteOnce, planDeletion } from './delete-once'
import { etagsIn, requireMatch } from './preconditions'
import { recordNotFound, recordWhere } from './record-where'
import { requireRecord, shownWhere } from './rows-that-may'
import { readShown } from './shown-records'
import { type WriteRule, writeRule } from './write-rule'

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
export async function deleteRecord(deps: Deps, input: DeleteRecord): Promise<Removed> {
  const { id, ifMatch, undo, actor } = input
  return withCurrentEntity(deps, input.entityName, 'delete', async (entity) => {
    if (ifMatch !== null) requireRead(actor, entity, 'If-Match')
    const rule = await writeRule(deps, actor, entity, 'delete')
    const isPlain =
      !rule && !undo && etagsIn(ifMatch) === null && !hasEffects(entity, await listEntities(deps))
    const json = isPlain ? planDeletion(entity, input) : null
    try {
      const isDeleted =
        json !== null &&
        (await around(deps, 'deleteOnce', { entity, json, input }, (used) =>
          deleteOnce(used, entity, json, actor),
        ))
      if (isDeleted) return { count: 1, batchId: null, effects: [] }
      return await deleteInSteps(deps, entity, recordWhere(targetOf(entity), id), input, rule)
    } catch (error) {
      if (error instanceof AppError) throw error
      const where = recordWhere(targetOf(entity), id)
      return await refuseReferenced(deps, { entity, where, actor }, error)
    }
  })
}

/** With the record locked from the beginning: what others do to it meanwhile waits. */
const deleteInSteps = (
  { db, layers }: Deps,
  entity: Entity,
  where: SQL,
  { id, ifMatch, undo, actor, requestId }: DeleteRecord,
  rule: WriteRule | null,
): Promise<Removed> =>
  db.transaction(async (tx) => {
    await requireCurrent(tx, entity)
    const shown = shownWhere(rule, where)
    const stored = await selectRecord(tx, targetOf(entity), shown, { lock: true })
    if (!stored) throw recordNotFound(entity.name, id)
    if (rule) await requireRecord(tx, rule, where, id)
    const seen = rule ? await readShown(tx, rule, where) : stored.json
    if (seen !== null) requireMatch(ifMatch, etagOf(seen))
    const removed = await around(
      { db: tx, layers },
      'removeRecords',
      { entity, where, actor, undo },
      (used) => removeRecords(used.db, entity, where, actor),
    )
    const details = { count: removed.count, ...keptDetails(removed), ...anyEffects(removed) }
    const audit = { action: 'records.delete', objectType: entity.name, objectId: id, details }
    await recordAudit(tx, actor, { ...audit, requestId })
    return removed
  })
