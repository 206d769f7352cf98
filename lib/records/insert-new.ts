import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { FieldNaming } from '@/lib/rows/field-naming'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import { type WriteResult, writeRecords } from '@/lib/rows/write-records'
import type { Json } from '@/lib/values/json'
import { checkSentRecords } from './check-written-fields'
import { insertUnderRules } from './insert-under-rule'
import { forcedValues } from './rule/forced-values'
import { writeRuleAmong } from './write-rule'

type Creation = { actor: Actor; entities: readonly Entity[]; naming: FieldNaming }

/** `sent`: the records as they came, `rows` as they are stored, with their keys. */
type Inserted = Pick<WriteResult, 'counts' | 'newExtraFields' | 'rows'> & {
  sent: PreparedRow[]
}

/** Creates records in a transaction that is to be rolled back on errors; a taken key is a conflict. Throws as `createRecords` does. */
export async function insertNew(
  tx: Db,
  entity: Entity,
  records: readonly Json[],
  { actor, entities, naming }: Creation,
): Promise<Inserted> {
  const rule = writeRuleAmong(actor, entity, 'write', entities)
  const forced = rule && (await forcedValues(rule))
  const sent = await checkSentRecords(rule, entity, records, 'insert', naming, forced)
  const { updateStrategy } = entity.definition
  const options = { onDuplicate: 'Error', updateStrategy, actorName: actor.name } as const
  const result = rule
    ? await insertUnderRules(tx, entity, { write: rule, update: null }, sent, {
        ...options,
        naming,
      })
    : await writeRecords(tx, entity, sent, options)
  const { kind, conflicts: details, conflictCount: count, counts, newExtraFields, rows } = result
  requireNoConflicts({ kind, details, count }, naming)
  return { sent, rows, counts, newExtraFields }
}
