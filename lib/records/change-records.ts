import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireCurrent } from '@/lib/registry/definition-version'
import { countsFor, mayRead, responseFor } from '@/lib/registry/may-read'
import { listEntities, registryChanged, withCurrentEntity } from '@/lib/registry/registry'
import { allWithoutStoredValues } from '@/lib/rows/computed-values'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { type FieldNaming, requireNoConflicts, showable } from '@/lib/rows/record-faults'
import { keyOf } from '@/lib/rows/record-key'
import { selectRecords } from '@/lib/rows/select-records'
import { updateRecords } from '@/lib/rows/update-records'
import type { Json } from '@/lib/values/json'
import { checkSentRecords } from './check-written-fields'
import { viewOf } from './entity-view'
import type { WrittenRecords } from './insert-once'
import { takeLists } from './links/sent-links'
import { takeLinkTurns, writeLinks } from './links/write-links'
import { countsUnder, selectShown } from './shown-records'
import { updateUnderRule } from './update-under-rule'
import { type WriteRule, writeRule } from './write-rule'

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
  const sent = takeLists(entity, input.records, { naming, actor, entities })
  const writing = { layers: deps.layers, entity, lists: sent.lists, actor, requestId, entities }
  const rule = await writeRule(deps, actor, entity, 'update')
  const records = mayRead(actor, entity)
    ? await (rule
        ? withoutShownValues(deps.db, rule, sent.records)
        : allWithoutStoredValues(deps.db, entity, sent.records))
    : sent.records
  const strategy = entity.definition.updateStrategy
  const mode = strategy === 'Replace' ? 'replace' : 'update'
  const rows = await checkSentRecords(rule, entity, records, mode, naming)
  const signature = { strategy, actorName: actor.name, now: new Date() }
  const { newExtraFields, ...written } = await deps.db.transaction(async (tx) => {
    await takeLinkTurns(tx, writing)
    await requireCurrent(tx, entity)
    const result = rule
      ? await updateUnderRule(tx, rule, rows, { ...signature, naming })
      : await updateRecords(tx, entity, rows, signature)
    requireNoneMissing(entity, result.missing, naming)
    if (result.conflicts) requireNoConflicts(result.conflicts, naming)
    await writeLinks(tx, writing, rows, result.rows)
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
    return { data, counts: result.counts, newExtraFields: result.newExtraFields }
  })
  if (newExtraFields.length > 0) await registryChanged(deps)
  return {
    data: responseFor(actor, entity, written.data),
    counts: rule ? countsUnder(rule, written.counts) : countsFor(actor, entity, written.counts),
  }
}

const withoutShownValues = (db: Db, rule: WriteRule, records: readonly Json[]) =>
  allWithoutStoredValues(db, viewOf(rule), records, (rows) => selectShown(db, rule, rows))

function requireNoneMissing(entity: Entity, missing: PreparedRow[], naming: FieldNaming): void {
  const [first] = missing
  if (!first) return
  const shown = missing.slice(0, 100).map(({ index, values }) => {
    const key = JSON.stringify(showable(keyOf(entity, values)))
    const field = naming === 'batch' ? `records.${index}` : entity.keys.join(', ')
    return { field, error: `There is no ${entity.name} with the key ${key}` }
  })
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''
  const meta = missing.length > shown.length ? { validationCount: missing.length } : {}
  throw new AppError('not_found', `${shown[0]?.error}${more}`, { validations: shown, meta })
}
