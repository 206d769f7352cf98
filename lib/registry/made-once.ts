import type { Entity } from '@/lib/definitions/definition'

type Make<T> = (entity: Entity, entities: readonly Entity[]) => T

/** Keeps what `make` returns of an entity for as long as the list of all entities is the same object, as that of the registry is. */
export function madeOnce<T>(make: Make<T>): Make<T> {
  const known = new WeakMap<readonly Entity[], WeakMap<Entity, { made: T }>>()
  return (entity, entities) => {
    const byEntity = known.get(entities) ?? new WeakMap<Entity, { made: T }>()
    known.set(entities, byEntity)
    const found = byEntity.get(entity) ?? { made: make(entity, entities) }
    byEntity.set(entity, found)
    return found.made
  }
}
