import type { Entity } from '@/lib/definitions/definition'
import { type Relation, type SearchTarget, targetOf } from '@/lib/registry/target'
import { pairsOf, whyUnlinked } from '@/lib/tables/reference-fields'

/**
 * What the field of a record of `entity` refers to, among `entities`; null for a field that refers to nothing.
 * `target`: the entity as the reader sees it; `targetFor` makes the same of the referred one.
 */
export function follow(
  entity: Entity,
  target: SearchTarget,
  fieldName: string,
  entities: readonly Entity[],
  targetFor: (referred: Entity) => SearchTarget,
): Relation | { fault: string } | null {
  const property = entity.properties.find(({ name }) => name === fieldName)
  const reference = property?.rules.reference
  if (!property || !reference) return null
  const referred = entities.find(({ name }) => name === reference.entity)
  const reason = whyUnlinked(entity, property, referred)
  if (reason || !referred)
    return { fault: `The reference of "${fieldName}" can't be followed: ${reason}` }
  const other = targetFor(referred)
  const { columns, fields } = pairsOf(fieldName, reference)
  const pairs = columns.flatMap((column, at) => {
    const own = target.fields.find(({ name }) => name === column)
    const field = other.fields.find(({ name }) => name === fields[at])
    return own && field ? [{ own, field }] : []
  })
  const [first, ...further] = pairs
  return first && pairs.length === columns.length
    ? { target: other, field: first.field, further }
    : null
}

/** The entity as rules see it: whole, with the whole entities that it refers to. */
export function wholeTarget(
  entity: Entity,
  entities: readonly Entity[],
  onFollow: (referred: Entity) => void = () => {},
): SearchTarget {
  const target = targetOf(entity)
  const whole = (referred: Entity) => {
    onFollow(referred)
    return wholeTarget(referred, entities, onFollow)
  }
  return { ...target, follow: (field) => follow(entity, target, field, entities, whole) }
}
