import { type SQL, sql } from 'drizzle-orm'
import { around } from '@/lib/around'
import { auditJson, insertAudit, recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { isCurrent, requireCurrent, StaleDefinitionError } from '@/lib/registry/definition-version'
import { requireRead } from '@/lib/registry/may-read'
import { listEntities, withCurrentEntity } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { etagOf, selectRecord } from '@/lib/rows/select-records'
import { refuseReferenced } from './blockers'
import { anyEffects, hasEffects, keptDetails, type Removed, removeRecords } from './delete-linked'
import { requireMatch } from './preconditions'
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
    const where = recordWhere(targetOf(entity), id)
    const rule = await writeRule(deps, actor, entity, 'delete')
    const isMatched = ifMatch === null || ifMatch.trim() === '*'
    const isPlain =
      !rule &&
      !undo &&
      isMatched &&
      !entity.isDistributed &&
      !hasEffects(entity, await listEntities(deps))
    try {
      return isPlain
        ? await deleteOnce(deps, entity, where, input)
        : await deleteInSteps(deps, entity, where, input, rule)
    } catch (error) {
      return await refuseReferenced(deps, { entity, where, actor }, error)
    }
  })
}

/** By one statement, which is a transaction of its own. */
async function deleteOnce(
  { db }: Deps,
  entity: Entity,
  where: SQL,
  { id, actor, requestId }: DeleteRecord,
): Promise<Removed> {
  const audit = auditJson(actor, {
    ...{ action: 'records.delete', objectType: entity.name, objectId: id, requestId },
    details: { count: 1 },
  })
  const query = sql`with "$deleted" as (
      delete from ${tableSql(entity.table)} where ${where} and ${isCurrent(entity)} returning 1),
    "$audit" as (${insertAudit(sql`${audit}`, sql`"$deleted"`)})
    select (select count(*) from "$deleted")::int as count, ${isCurrent(entity)} as "isCurrent"`
  const found = one(await rows<{ count: number; isCurrent: boolean }>(db, query))
  if (!found.isCurrent) throw new StaleDefinitionError()
  if (found.count === 0) throw recordNotFound(entity.name, id)
  return { count: found.count, batchId: null, effects: [] }
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
