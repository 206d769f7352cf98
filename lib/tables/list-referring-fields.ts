import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import type { ReferringField } from './column-contract'
import { whyLoose } from './plan-references'

/** The fields that refer to the entity `name`, by entity and in their order there; without those of entities that `actor` may not read. */
export async function listReferringFields(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<ReferringField[]> {
  const byName = new Map((await listEntities(deps)).map((entity) => [entity.name, entity]))
  return [...byName.values()]
    .filter((entity) => mayRead(actor, entity))
    .flatMap((entity) => referringFields(entity, name, byName))
    .sort((a, b) => (a.entity < b.entity ? -1 : a.entity > b.entity ? 1 : 0))
}

function referringFields(
  entity: Entity,
  name: string,
  byName: ReadonlyMap<string, Entity>,
): ReferringField[] {
  return entity.properties.flatMap((property) => {
    const { reference } = property.rules
    if (reference?.entity !== name) return []
    const loose = whyLoose(entity, property, byName.get(name), byName)
    const { name: field, label = null } = property
    return [{ entity: entity.name, field, label, reference, ...(loose ? { loose } : {}) }]
  })
}
