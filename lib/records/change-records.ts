import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { requireCurrent } from '@/lib/registry/definition-version'
import { countsFor, responseFor } from '@/lib/registry/may-read'
import { listEntities, registryChanged, withCurrentEntity } from '@/lib/registry/registry'
import type { FieldNaming } from '@/lib/rows/field-naming'
import { selectRecords } from '@/lib/rows/select-records'
import type { Json } from '@/lib/values/json'
import type { WrittenRecords } from './insert-once'
import { takeNested } from './nested/take-nested'
import { takeTurns, writeNested } from './nested/write-nested'
import { countsUnder, selectShown } from './shown-records'
import { checkSentChanges, updateSent } from './update-sent'
import { writeRule } from './write-rule'

export type ChangeRecords = {
  entityName: string
  /** Each includes its key. */
  records: readonly Json[]
  naming: FieldNaming
  actor: Actor
  requestId: string
}

/**
 * Changes records identified by their keys, all or none, by the definition's `updateStrategy`:
 * `Replace` sets all fields, `Upsert` changes the given ones. Throws `not_found` that names every key
 * without a record (the first 100), and otherwise as `createRecords` does.
 */
export async function changeRecords(deps: Deps, input: ChangeRecords): Promise<WrittenRecords> {
  return withCurrentEntity(deps, input.entityName, 'update', (entity) =>
    change(deps, entity, input),
  )
}

async function change(deps: Deps, entity: Entity, input: ChangeRecords): Promise<WrittenRecords> {
  const { naming, actor, requestId } = input
  const entities = await listEntities(deps)
  const sender = { naming, actor, entities, isNew: false }
  const { records, ...lists } = takeNested(entity, input.records, sender)
  const writing = { layers: deps.layers, entity, actor, requestId, entities, ...lists }
  const rule = await writeRule(deps, actor, entity, 'update')
  const strategy = entity.definition.updateStrategy
  const mode = strategy === 'Replace' ? 'replace' : 'update'
  const rows = await checkSentChanges(deps.db, rule, entity, records, { mode, naming, actor })
  const signature = { strategy, actorName: actor.name, now: new Date() }
  const { newExtraFields, ...written } = await deps.db.transaction(async (tx) => {
    await takeTurns(tx, writing)
    await requireCurrent(tx, entity)
    const result = await updateSent(tx, rule, entity, rows, { ...signature, naming })
    const names = await writeNested(tx, writing, rows, result.rows)
    const details = { ...result.counts, strategy }
    await recordAudit(tx, actor, {
      action: 'records.update',
      objectType: entity.name,
      details,
      requestId,
    })
    const data = rule
      ? await selectShown(tx, rule, result.rows)
      : await selectRecords(tx, entity, result.rows)
    return { data, counts: result.counts, newExtraFields: [...result.newExtraFields, ...names] }
  })
  if (newExtraFields.length > 0) await registryChanged(deps)
  return {
    data: responseFor(actor, entity, written.data),
    counts: rule ? countsUnder(rule, written.counts) : countsFor(actor, entity, written.counts),
  }
}
