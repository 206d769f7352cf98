import { around } from '@/lib/around'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, can } from '@/lib/auth/rights'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { requireCurrent } from '@/lib/registry/definition-version'
import { countsFor, responseFor } from '@/lib/registry/may-read'
import { registryChanged } from '@/lib/registry/registry'
import { prepareRecords } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { type FieldNaming, requireNoConflicts, requireNoFaults } from '@/lib/rows/record-faults'
import { selectRecords } from '@/lib/rows/select-records'
import { writeRecords } from '@/lib/rows/write-records'
import type { Json, JsonObject } from '@/lib/values/json'
import { type Insertion, insertOnce, planInsert } from './insert-once'
import { withCurrentEntity } from './with-current-entity'

export type CreateRecords = {
  entityName: string
  records: readonly Json[]
  naming: FieldNaming
  actor: Actor
  requestId: string
}

/** `data`: the stored records as JSON text, in order. */
export type WrittenRecords = { data: string; counts: RecordCounts }

/**
 * Stores records, all or none. On a taken key the record fails, overwrites or is skipped, by the
 * definition's `insertDuplicate`; overwriting requires the right to update. Throws `invalid_input` and
 * `conflict` that name every bad record, `forbidden` when the definition forbids writing.
 */
export const createRecords = (deps: Deps, input: CreateRecords): Promise<WrittenRecords> =>
  withCurrentEntity(deps, input.entityName, 'write', async (entity) => {
    const { records, naming, actor, requestId } = input
    const { rows, faults, faultCount } = await prepareRecords(entity, records, 'insert')
    requireNoFaults(faults, faultCount, naming)
    const insertion = { naming, actor, requestId, onDuplicate: duplicateRule(actor, entity) }
    const plan = await planInsert(entity, rows, insertion.onDuplicate)
    if (!plan) return insertInSteps(deps, entity, rows, insertion)
    const data = await around(deps, 'insertOnce', { entity, plan, insertion }, (used) =>
      insertOnce(used, entity, plan, insertion),
    )
    const counts = { created: rows.length, updated: 0, unchanged: 0, failed: 0 }
    return { data: responseFor(actor, entity, data), counts }
  })

/** The definition's `insertDuplicate`; without the right to update, a taken key is a conflict. */
function duplicateRule(actor: Actor, { name, definition }: Entity): InsertDuplicate {
  const { insertDuplicate, permissions } = definition
  const mayOverwrite = permissions.update && can(actor, { entity: name, action: 'update' })
  return insertDuplicate === 'Upsert' && !mayOverwrite ? 'Error' : insertDuplicate
}

/** Records that may overwrite others, bring new undeclared fields, or are too long for a statement. */
async function insertInSteps(
  deps: Deps,
  entity: Entity,
  rows: PreparedRow[],
  { naming, actor, requestId, onDuplicate }: Insertion,
): Promise<WrittenRecords> {
  const { updateStrategy } = entity.definition
  const options = { onDuplicate, updateStrategy, actorName: actor.name }
  const { newExtraFields, ...written } = await deps.db.transaction(async (tx) => {
    await requireCurrent(tx, entity)
    const result = await writeRecords(tx, entity, rows, options)
    const { kind, conflicts: details, conflictCount: count, counts } = result
    requireNoConflicts({ kind, details, count }, naming)
    const data = await selectRecords(tx, entity, result.rows)
    await recordAudit(tx, actor, {
      action: 'records.create',
      objectType: entity.name,
      ...(naming === 'single' ? { objectId: idOf(data) } : {}),
      details: { ...counts },
      requestId,
    })
    return { data, counts, newExtraFields: result.newExtraFields }
  })
  if (newExtraFields.length > 0) await registryChanged(deps)
  const { data, counts } = written
  return {
    data: responseFor(actor, entity, data),
    counts: onDuplicate === 'Upsert' ? countsFor(actor, entity, counts) : counts,
  }
}

const idOf = (data: string) => String((JSON.parse(data) as JsonObject[])[0]?.persistenceId)
