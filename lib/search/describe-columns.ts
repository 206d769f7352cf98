import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { DISPLAY_ROLES, type EntityDisplay } from '@/lib/definitions/display'
import { presentDisplay } from '@/lib/definitions/entity-faults'
import { operatorsOf } from '@/lib/definitions/operators'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import type { ColumnDescription, ReferringField } from '@/lib/tables/column-contract'
import { whyLoose } from '@/lib/tables/plan-references'
import { findTarget } from './find-target'
import { type InverseReference, inverseReferences } from './inverse'
import { forcedBy, unwritableBy } from './unwritable-fields'
import { visibleEntity } from './visible-entity'

/** Every field that searches of `actor` can name. Throws as `findTarget` does. */
export async function describeColumns(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<ColumnDescription[]> {
  const target = await findTarget(deps, name, actor)
  const visible = target.system ? null : await findVisible(deps, name, actor)
  const properties = visible?.properties ?? []
  const display = visible ? presentDisplay(visible) : undefined
  const declared = target.fields.map(({ name, kind, hidden = false }): ColumnDescription => {
    const property = properties.find((property) => property.name === name)
    const shown = { ...property?.display, ...partsOf(display, name) }
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
      ...(Object.keys(shown).length > 0 ? { display: shown } : {}),
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

async function findVisible(deps: Deps, name: string, actor: Actor): Promise<Entity> {
  return visibleEntity(await findEntity(deps, name), actor, await listEntities(deps))
}

/** What the entity uses a field for as its records are shown. */
function partsOf(
  display: EntityDisplay = {},
  name: string,
): Pick<NonNullable<ColumnDescription['display']>, 'roles' | 'column'> {
  const roles = DISPLAY_ROLES.filter((role) => display[role] === name)
  const column = display.columns?.indexOf(name) ?? -1
  return { ...(roles.length > 0 ? { roles } : {}), ...(column >= 0 ? { column } : {}) }
}

/** How people see the records of an entity; undefined where its definition says nothing. */
export async function describeDisplay(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<EntityDisplay | undefined> {
  const { system } = await findTarget(deps, name, actor)
  return system ? undefined : presentDisplay(await findVisible(deps, name, actor))
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
  const entities = await listEntities(deps)
  const byName = new Map(entities.map((entity) => [entity.name, entity]))
  const referred = byName.get(name)
  const isHere = ({ isDistributed }: Entity) => !isDistributed
  const relations =
    referred && isHere(referred)
      ? inverseReferences(referred, entities).filter(({ entity }) => isHere(entity))
      : []
  return entities
    .filter((entity) => mayRead(actor, entity))
    .flatMap((entity) => {
      const { properties } = visibleEntity(entity, actor, entities)
      return referringFields({ ...entity, properties }, name, byName)
    })
    .map((one) => {
      const isSame = ({ entity, property }: InverseReference) =>
        entity.name === one.entity && property.name === one.field
      const relation = relations.find((one) => !one.far && isSame(one))?.name
      return relation === undefined ? one : { ...one, relation }
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
