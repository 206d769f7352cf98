import type { Actor, RecordAction } from '@/lib/auth/rights'
import { fieldsOf, parseExpression } from '@/lib/definitions/computed-expression'
import type { Entity, FieldReference, Property, Rules } from '@/lib/definitions/definition'
import { mapDisplay } from '@/lib/definitions/map-display'
import { mayRead } from '@/lib/registry/may-read'
import { type SearchTarget, targetOf } from '@/lib/registry/target'
import { pairsOf } from '@/lib/tables/reference-fields'
import { restrictedTarget } from './restricted-target'

/** An entity with what a caller may know of it: for describing it, neither for reading nor for writing records. */
export type VisibleEntity = Entity & {
  /** The fields that only some records have for the caller. */
  shownInSome?: ReadonlySet<string>
}

/** The same object where nothing is hidden. Fields that no record shows are in none of its parts. */
export function visibleEntity(
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
  action: RecordAction = 'read',
): VisibleEntity {
  const target = restrictedTarget(entity, actor, entities, action)
  const isShown = has(target)
  const properties = entity.properties
    .filter(({ name }) => isShown(name))
    .map((property) => visibleProperty(property, isShown, actor, entities))
  const isSame = properties.every((property, at) => property === entity.properties[at])
  if (isSame && target === targetOf(entity)) return entity
  return {
    ...withShown(entity, isShown),
    properties,
    open: target.extraColumn !== null,
    extraFields: target.extraFields,
    shownInSome: new Set(target.fields.filter(({ mask }) => mask).map(({ name }) => name)),
  }
}

const has = ({ fields }: SearchTarget): ((name: string) => boolean) => {
  const names = new Set(fields.map(({ name }) => name))
  return (name) => names.has(name)
}

function visibleProperty(
  property: Property,
  isShown: (name: string) => boolean,
  actor: Actor,
  entities: readonly Entity[],
): Property {
  const { reference, computed } = property.rules
  const hidden: (keyof Rules)[] = []
  if (reference && !isWholeReference(property.name, reference, isShown, actor, entities))
    hidden.push('reference')
  const isClear = computed === undefined || fieldsOf(parseExpression(computed)).every(isShown)
  if (hidden.length === 0 && isClear) return property
  const left = Object.entries(property.rules).filter(
    ([name]) => !hidden.includes(name as keyof Rules),
  )
  const rules = { ...Object.fromEntries(left), ...(isClear ? {} : { computed: UNTOLD }) } as Rules
  return { ...property, rules }
}

/** In place of an expression of hidden fields: the field still can't be written. */
const UNTOLD = '…'

/** Whether the fields of both sides are shown. The names in an entity that the caller may not read are known, as ever. */
function isWholeReference(
  own: string,
  reference: FieldReference,
  isShown: (name: string) => boolean,
  actor: Actor,
  entities: readonly Entity[],
): boolean {
  const { columns, fields } = pairsOf(own, reference)
  const referred = entities.find(({ name }) => name === reference.entity)
  const isReadable = referred !== undefined && mayRead(actor, referred)
  return (
    columns.every(isShown) &&
    (!isReadable || fields.every(has(restrictedTarget(referred, actor, entities))))
  )
}

/** Without rules, indexes and parts of the display that name fields which are not shown. */
function withShown(entity: Entity, isShown: (name: string) => boolean): Entity {
  const { definition, schema, addedIndexes } = entity
  const isClear = ({ fields }: { fields: readonly string[] }) => fields.every(isShown)
  const { display, distribution, ...rest } = definition
  const shown = display && mapDisplay(display, (name) => (isShown(name) ? name : null))
  const isSpread = typeof distribution !== 'object' || isShown(distribution.by)
  return {
    ...entity,
    definition: {
      ...rest,
      indexes: definition.indexes.filter(isClear),
      ...(shown ? { display: shown } : {}),
      ...(isSpread && distribution !== undefined ? { distribution } : {}),
    },
    schema: schema && {
      ...schema,
      properties: schema.properties.filter(({ name }) => isShown(name)),
      ...(schema.unique ? { unique: schema.unique.filter(isClear) } : {}),
    },
    addedIndexes: addedIndexes.filter(({ parts }) => parts.every(({ column }) => isShown(column))),
  }
}
