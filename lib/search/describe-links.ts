import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { findAmongAll } from '@/lib/registry/registry'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import { inverseFor, inverseReferences, isOnNodes } from './inverse'
import { restrictedTarget } from './restricted-target'

/** The lists of linked records that an entity has, by their names; those alone that `actor` may read. */
export function linkedEntities(
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
): LinkedEntity[] {
  const linked = inverseReferences(entity, entities).filter(({ far }) => far)
  if (linked.length === 0) return []
  const target = restrictedTarget(entity, actor, entities)
  const targetFor = (other: Entity) =>
    mayRead(actor, other) ? restrictedTarget(other, actor, entities) : null
  return linked.flatMap((reference) => {
    const { name: relation, entity: link, property, far } = reference
    const inverse = inverseFor(reference, target, targetFor)
    if (!far || !inverse || isOnNodes(target, inverse)) return []
    const between = { link: link.name, field: property.name, to: far.property.name }
    return [{ relation, entity: far.entity.name, ...between }]
  })
}

/** The same of the entity `name`. */
export async function listLinkedEntities(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<LinkedEntity[]> {
  if (isSystemEntity(name)) return []
  const { entity, entities } = await findAmongAll(deps, name)
  return linkedEntities(entity, actor, entities)
}
