import type { AddedIndex, Entity } from '@/lib/definitions/definition'
import { addedIndexName } from './added-index-name'
import type { AddedIndexView } from './contract'
import { usedFieldOf } from './index-request'
import { specOf } from './serving-index'
import type { FoundIndex } from './store'

const UNFIT = 'A field of it is gone, or has a type now that it can’t hold'

/** An added index with its state in the database, where `found` are those that exist. */
export function viewOf(
  entity: Entity,
  added: AddedIndex,
  found: readonly FoundIndex[],
): AddedIndexView {
  const name = addedIndexName(entity, added)
  const index = found.find((one) => one.name === name)
  const error = added.error ?? (specOf(entity, added) ? null : UNFIT)
  const isReady = index?.isValid && added.readyAt !== undefined
  const state = error !== null ? 'failed' : isReady ? 'ready' : 'building'
  return {
    name,
    kind: added.kind,
    unique: added.unique,
    fields: added.parts.map(usedFieldOf),
    state,
    progress: state === 'building' ? (index?.progress ?? null) : null,
    error,
    bytes: index?.bytes ?? null,
    scans: index?.scans ?? null,
    createdAt: added.createdAt,
    readyAt: state === 'ready' ? (added.readyAt ?? null) : null,
  }
}
