import type { Entity } from '@/lib/definitions/definition'
import { checkedProperties } from '@/lib/rows/record-schema'
import { isReadable, type WriteRule, writeVerdict } from './write-rule'

// What is compiled of an entity is kept with the object, so the same fields are the same object.
const views = new WeakMap<Entity, Map<string, Entity>>()
const MAX_VIEWS = 100

/**
 * The entity with the fields alone that the caller may write, or reads and can't set: records are checked against it, so
 * that any other field is an undeclared one, and is not required.
 */
export function viewOf(rule: WriteRule): Entity {
  const { entity } = rule
  const settable = new Set(checkedProperties(entity).map(({ name }) => name))
  const isShown = (name: string) =>
    entity.keys.includes(name) ||
    (settable.has(name)
      ? writeVerdict(rule, name) !== false && !isForced(rule, name)
      : isReadable(rule, name))
  return partOf(entity, isShown, (name) => writeVerdict(rule, name) !== false)
}

/** The entity with the fields alone that the caller may read, in some record at least. */
export const readableView = (rule: WriteRule): Entity =>
  partOf(
    rule.entity,
    (name) => isReadable(rule, name),
    (name) => isReadable(rule, name),
  )

function partOf(
  entity: Entity,
  isShown: (name: string) => boolean,
  isOpen: (name: string) => boolean,
): Entity {
  const properties = entity.properties.filter(({ name }) => isShown(name))
  const extraFields = entity.extraFields.filter(isOpen)
  const isWhole = properties.length === entity.properties.length
  if (isWhole && extraFields.length === entity.extraFields.length) return entity
  const known = views.get(entity) ?? new Map<string, Entity>()
  views.set(entity, known)
  const names = JSON.stringify([properties.map(({ name }) => name), extraFields])
  const view = known.get(names) ?? { ...entity, properties, extraFields }
  if (known.size >= MAX_VIEWS) known.clear()
  known.set(names, view)
  return view
}

/** Whether policies give the field its value. */
export const isForced = ({ set }: WriteRule, name: string): boolean =>
  set.some((values) => Object.hasOwn(values, name))
