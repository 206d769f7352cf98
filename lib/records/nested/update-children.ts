import { recordAudit } from '@/lib/audit/record-audit'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Validation } from '@/lib/errors'
import type { Inverse } from '@/lib/registry/target'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { keyOf } from '@/lib/rows/record-key'
import { pick } from '@/lib/rows/select-records'
import type { JsonObject } from '@/lib/values/json'
import { requireNone } from '../links/sent-links'
import { checkSentChanges, updateSent } from '../update-sent'
import { writeRuleAmong } from '../write-rule'
import { locatedLater } from './located'
import {
  type NestedWriting,
  NO_CHILDREN,
  type Owners,
  ownerOf,
  type WrittenChildren,
} from './nested-writing'
import { otherFaults } from './other-fields'
import { noChild, ownChildren } from './own-children'
import type { ChildRecords, SentChildren } from './sent-children'

/** Changes the fields of children that a request says, found by their keys among those that refer to its records. */
export const updateChildren = (
  tx: Db,
  { actor, entities, requestId }: NestedWriting,
  { list: { entity }, inverse, update, owners: [first] }: SentChildren,
  owners: Owners,
): Promise<WrittenChildren> =>
  locatedLater(first?.pointer, async () => {
    if (update.records.length === 0 || !inverse) return NO_CHILDREN
    const rule = writeRuleAmong(actor, entity, 'update', entities)
    const records = keyedRecords(entity, update, owners)
    const how = { naming: update.places, actor }
    const sent = await checkSentChanges(tx, rule, entity, records, { ...how, mode: 'update' })
    await requireOwn(tx, entity, inverse, update, sent, owners)
    const strategy = 'Upsert'
    const signature = { strategy, actorName: actor.name, now: new Date() } as const
    const { counts, rows, newExtraFields } = await updateSent(tx, rule, entity, sent, {
      ...signature,
      naming: update.places,
    })
    await recordAudit(tx, actor, {
      ...{ action: 'records.update', objectType: entity.name, requestId },
      details: { ...counts, strategy },
    })
    return { sent, rows, newExtraFields }
  })

/**
 * The changes with their keys, and without other fields that refer to their records, as those stay. Throws `invalid_input` for those
 * that say another record.
 */
function keyedRecords(entity: Entity, update: ChildRecords, owners: Owners): JsonObject[] {
  const faults: Validation[] = []
  const records = update.records.map((record, at) => {
    const owner = ownerOf(update, at, owners)
    faults.push(...otherFaults(entity, record, owner, update.places[at]))
    const changed = Object.entries(record).filter(([name]) => !Object.hasOwn(owner, name))
    const key = entity.keys.filter((name) => Object.hasOwn(owner, name))
    return { ...Object.fromEntries(changed), ...pick(owner, key) }
  })
  requireNone(faults)
  return records
}

/** Throws `invalid_input` that names each child which is not stored, hidden or another record's: which of them, it does not tell. */
async function requireOwn(
  tx: Db,
  entity: Entity,
  inverse: Inverse,
  update: ChildRecords,
  rows: PreparedRow[],
  owners: Owners,
): Promise<void> {
  const own = await ownChildren(tx, entity, inverse, rows, (at) => ownerOf(update, at, owners))
  const found = new Set(own.map(({ index }) => index))
  const others = rows.filter(({ index }) => !found.has(index))
  requireNone(
    others.map(({ index, values }) => ({
      field: update.places[index] ?? '',
      error: noChild(entity, keyOf(entity, values)),
    })),
  )
}
