import { recordAudit } from '@/lib/audit/record-audit'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { requireCurrent } from '@/lib/registry/definition-version'
import { countsFor, responseFor } from '@/lib/registry/may-read'
import { registryChanged } from '@/lib/registry/registry'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import { selectRecords } from '@/lib/rows/select-records'
import { writeRecords } from '@/lib/rows/write-records'
import type { JsonObject } from '@/lib/values/json'
import type { Insertion, WrittenRecords } from './insert-once'
import { type InsertRules, insertUnderRules } from './insert-under-rule'
import type { NestedWriting } from './nested/nested-writing'
import { takeTurns, writeNested } from './nested/write-nested'
import { countsUnder, selectShown } from './shown-records'

type Further = Pick<NestedWriting, 'lists' | 'nested' | 'entities'> & { rules: InsertRules | null }

/** Records that may overwrite others, have lists, bring new undeclared fields, or are too long for a statement. */
export async function insertInSteps(
  deps: Deps,
  entity: Entity,
  rows: PreparedRow[],
  { naming, actor, requestId, onDuplicate }: Insertion,
  { rules, ...further }: Further,
): Promise<WrittenRecords> {
  const { updateStrategy } = entity.definition
  const options = { onDuplicate, updateStrategy, actorName: actor.name }
  const rule = rules && (rules.write ?? rules.update)
  const writing = { layers: deps.layers, entity, actor, requestId, ...further }
  const { newExtraFields, ...written } = await deps.db.transaction(async (tx) => {
    await takeTurns(tx, writing)
    await requireCurrent(tx, entity)
    const result = rules
      ? await insertUnderRules(tx, entity, rules, rows, { ...options, naming })
      : await writeRecords(tx, entity, rows, options)
    const { kind, conflicts: details, conflictCount: count, counts } = result
    requireNoConflicts({ kind, details, count }, naming)
    const names = await writeNested(tx, writing, rows, result.rows)
    const data = rule
      ? await selectShown(tx, rule, result.rows)
      : await selectRecords(tx, entity, result.rows)
    await recordAudit(tx, actor, {
      action: 'records.create',
      objectType: entity.name,
      ...(naming === 'single' ? { objectId: idOf(data) } : {}),
      details: { ...counts },
      requestId,
    })
    return { data, counts, newExtraFields: [...result.newExtraFields, ...names] }
  })
  if (newExtraFields.length > 0) await registryChanged(deps)
  const { data, counts } = written
  const shown = rule ? countsUnder(rule, counts) : countsFor(actor, entity, counts)
  return {
    data: responseFor(actor, entity, data),
    counts: onDuplicate === 'Upsert' ? shown : counts,
  }
}

const idOf = (data: string) => String((JSON.parse(data) as JsonObject[])[0]?.persistenceId)
