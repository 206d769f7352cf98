import { recordAudit } from '@/lib/audit/record-audit'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { insertNew } from '../insert-new'
import { requireNone } from '../links/sent-links'
import { locatedLater } from './located'
import {
  type NestedWriting,
  NO_CHILDREN,
  type Owners,
  ownerOf,
  type WrittenChildren,
} from './nested-writing'
import { otherFaults, otherFields } from './other-fields'
import type { ChildRecords, SentChildren } from './sent-children'

/** Creates the children that a request creates, each with the fields that refer to its record; a taken key is a conflict. */
export const insertChildren = (
  tx: Db,
  { actor, entities, requestId }: NestedWriting,
  { list: { entity }, create, owners: [first] }: SentChildren,
  owners: Owners,
): Promise<WrittenChildren> =>
  locatedLater(first?.pointer, async () => {
    if (create.records.length === 0) return NO_CHILDREN
    const records = ownedRecords(entity, create, owners)
    const naming = create.places
    const inserted = await insertNew(tx, entity, records, { actor, entities, naming })
    requireOwned(entity, inserted, create, owners)
    await recordAudit(tx, actor, {
      ...{ action: 'records.create', objectType: entity.name, requestId },
      details: { ...inserted.counts },
    })
    return inserted
  })

/** The children with the fields that refer to their records. Throws `invalid_input` for those that say another one. */
function ownedRecords(entity: Entity, create: ChildRecords, owners: Owners): JsonObject[] {
  const faults: Validation[] = []
  const records = create.records.map((record, at) => {
    const owner = ownerOf(create, at, owners)
    faults.push(...otherFaults(entity, record, owner, create.places[at]))
    return { ...record, ...owner }
  })
  requireNone(faults)
  return records
}

/** Throws `forbidden` where policies have given a child to another record. */
function requireOwned(
  entity: Entity,
  { rows }: WrittenChildren,
  create: ChildRecords,
  owners: Owners,
): void {
  const isOther = rows.some(
    ({ index, values }) => otherFields(entity, values, ownerOf(create, index, owners)).length > 0,
  )
  if (!isOther) return
  const message = `A policy gives new records of "${entity.name}" to another record than this`
  throw new AppError('forbidden', message)
}
