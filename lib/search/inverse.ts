import type { Entity, Property } from '@/lib/definitions/definition'
import type { Inverse, SearchTarget } from '@/lib/registry/target'
import { pairsOf, whyUnlinked } from '@/lib/tables/reference-fields'

/** A reference of another entity, or of the same, as seen from the entity that it refers to. */
export type InverseReference = { name: string; entity: Entity; property: Property }

/**
 * The references to an entity, without those that can't be followed, in the order of their names: what the reference calls its other
 * direction, or `OrderByCustomer` for the field `customer` of `Order`. A name that is taken, by a field or by two references, is not used.
 */
export function inverseReferences(entity: Entity, entities: readonly Entity[]): InverseReference[] {
  const found = entities.flatMap((other) =>
    other.properties
      .filter(({ rules }) => rules.reference?.entity === entity.name)
      .filter((property) => whyUnlinked(other, property, entity) === null)
      .map((property) => ({ entity: other, property })),
  )
  const own = entity.properties.map(({ name }) => name)
  const chosen = found.flatMap(({ property }) => property.rules.reference?.inverse ?? [])
  const isTaken = (name: string) => [...own, ...chosen].filter((one) => one === name).length > 1
  const nameOf = (other: Entity, { name, rules }: Property): string => {
    const inverse = rules.reference?.inverse
    const usual = `${other.name}By${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return inverse === undefined || isTaken(inverse) ? usual : inverse
  }
  return found
    .map((one) => ({ ...one, name: nameOf(one.entity, one.property) }))
    .filter(({ name }) => !own.includes(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The relations of `target`, which is `entity` as a reader sees it. `targetFor` is null for entities that the reader may not read. */
export function inverseOf(
  entity: Entity,
  target: SearchTarget,
  entities: readonly Entity[],
  targetFor: (referring: Entity) => SearchTarget | null,
): NonNullable<SearchTarget['inverse']> {
  const follow = ({ entity: referring, property }: InverseReference): Inverse | null => {
    const other = targetFor(referring)
    const { reference } = property.rules
    if (!other || !reference) return null
    const { columns, fields } = pairsOf(property.name, reference)
    const pairs = columns.flatMap((column, at) => {
      const field = other.fields.find(({ name }) => name === column)
      const own = target.fields.find(({ name }) => name === fields[at])
      return own && field ? [{ own, field }] : []
    })
    return pairs.length === columns.length ? { target: other, pairs } : null
  }
  let found: InverseReference[] | undefined // looked for once, for a request may name many
  const references = () => {
    found ??= inverseReferences(entity, entities)
    return found
  }
  return {
    names: () => references().flatMap((one) => (follow(one) ? [one.name] : [])),
    find: (name) => {
      const reference = references().find((one) => one.name === name)
      return reference ? follow(reference) : null
    },
  }
}
