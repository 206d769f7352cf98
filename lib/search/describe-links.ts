import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { findAmongAll } from '@/lib/registry/registry'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import { inverseFor, inverseReferences, isOnNodes } from './inverse'
import { restrictedTarget } from './restricted-target'

/** A list of records of another entity, or of the same, that refer to each record. */
type ReferringList = { relation: string; entity: string }

/** The lists that an entity has, by their names; those alone that `actor` may read. */
export type EntityLists = { links: LinkedEntity[]; children: ReferringList[] }

export function listsOf(entity: Entity, actor: Actor, entities: readonly Entity[]): EntityLists {
  const found = inverseReferences(entity, entities)
  if (found.length === 0) return { links: [], children: [] }
  const target = restrictedTarget(entity, actor, entities)
  const targetFor = (other: Entity) =>
    mayRead(actor, other) ? restrictedTarget(other, actor, entities) : null
  const shown = found.filter((reference) => {
    const inverse = inverseFor(reference, target, targetFor)
    return inverse !== null && !isOnNodes(target, inverse)
  })
  return {
    links: shown.flatMap(({ name: relation, entity: link, property, far }) => {
      const between = { link: link.name, field: property.name, to: far?.property.name ?? '' }
      return far ? [{ relation, entity: far.entity.name, ...between }] : []
    }),
    children: shown.flatMap(({ name: relation, entity: child, far }) =>
      far ? [] : [{ relation, entity: child.name }],
    ),
  }
}

/** The lists of linked records of the entity `name`. */
export async function listLinkedEntities(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<LinkedEntity[]> {
  if (isSystemEntity(name)) return []
  const { entity, entities } = await findAmongAll(deps, name)
  return listsOf(entity, actor, entities).links
}
