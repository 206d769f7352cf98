import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { operatorsOf } from '@/lib/definitions/operators'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import type { ColumnDescription, ReferringField } from '@/lib/tables/column-contract'
import { whyLoose } from '@/lib/tables/plan-references'
import { findTarget } from './find-target'
import { forcedBy, unwritableBy } from './unwritable-fields'
import { visibleEntity } from './visible-entity'

/** Every field that searches of `actor` can name. Throws as `findTarget` does. */
export async function describeColumns(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<ColumnDescription[]> {
  const target = await findTarget(deps, name, actor)
  const properties = target.system
    ? []
    : visibleEntity(await findEntity(deps, name), actor, await listEntities(deps)).properties
  const declared = target.fields.map(({ name, kind, hidden = false }): ColumnDescription => {
    const property = properties.find((property) => property.name === name)
    return {
      name,
      label: property?.label ?? null,
      description: property?.description ?? null,
      type: property?.type ?? kind,
      kind,
      key: target.keys.includes(name),
      declared: true,
      hidden,
      operators: operatorsOf(kind),
      rules: property?.rules ?? {},
    }
  })
  const names = new Set(declared.map(({ name }) => name))
  const others = target.extraFields.filter((name) => !names.has(name)).map(undeclared)
  const all = [...declared, ...others]
  if (target.system) return all
  const entity = await findEntity(deps, name)
  const entities = await listEntities(deps)
  const setBy = forcedBy(entity, actor, entities)
  const closedTo = unwritableBy(entity, actor, entities, setBy)
  return all.map((column) => {
    const [readOnlyFor, setFor] = [closedTo(column.name), setBy(column.name)]
    return {
      ...column,
      ...(readOnlyFor.length > 0 ? { readOnlyFor } : {}),
      ...(setFor.length > 0 ? { setFor } : {}),
    }
  })
}

const undeclared = (name: string): ColumnDescription => ({
  name,
  label: null,
  description: null,
  type: 'json',
  kind: 'json',
  key: false,
  declared: false,
  hidden: false,
  operators: operatorsOf('json'),
  rules: {},
})

/** The fields that refer to the entity `name`, by entity and in their order there; without those of entities that `actor` may not read. */
export async function listReferringFields(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<ReferringField[]> {
  const byName = new Map((await listEntities(deps)).map((entity) => [entity.name, entity]))
  return [...byName.values()]
    .filter((entity) => mayRead(actor, entity))
    .flatMap((entity) => {
      const { properties } = visibleEntity(entity, actor, [...byName.values()])
      return referringFields({ ...entity, properties }, name, byName)
    })
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
