import type { Entity } from '@/lib/definitions/definition'

type Make<T> = (entity: Entity, entities: readonly Entity[]) => T

/** Remembers what `make` returns of an entity, as long as all of them are the same. */
export function rememberedLists<T>(make: Make<T>): Make<T> {
  const known = new WeakMap<readonly Entity[], WeakMap<Entity, { lists: T }>>()
  return (entity, entities) => {
    const byEntity = known.get(entities) ?? new WeakMap<Entity, { lists: T }>()
    known.set(entities, byEntity)
    const found = byEntity.get(entity) ?? { lists: make(entity, entities) }
    byEntity.set(entity, found)
    return found.lists
  }
}
