import type { Entity } from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'

/** Where the records of an entity are to be kept. */
export type WantedPlacement =
  | { type: 'local' }
  | { type: 'reference' }
  | { type: 'distributed'; by: string }

/** What an entity whose definition says nothing gets. `isReferredTo`: by another entity, enforced. */
export function defaultPlacement(
  entity: Entity,
  distributesByKey: boolean,
  isReferredTo: boolean,
): WantedPlacement {
  if (!distributesByKey) return { type: 'local' }
  const by = entity.keys.find((key) => isFit(entity, key))
  return by === undefined || isReferredTo ? { type: 'reference' } : { type: 'distributed', by }
}

/** Rows with the same value are on one node, so it alone can guarantee that they differ. */
function isFit(entity: Entity, column: string): boolean {
  return (
    entity.properties.every(({ name, rules }) => !rules.unique || name === column) &&
    entityIndexes(entity).every(({ unique, fields }) => !unique || fields.includes(column)) &&
    entity.addedIndexes.every(
      ({ unique, parts }) => !unique || parts.some((part) => part.column === column),
    ) &&
    entity.properties.every(({ rules }) => rules.reference?.entity !== entity.name)
  )
}
