import type { Entity, Property } from '@/lib/definitions/definition'
import type { Inverse, SearchTarget } from '@/lib/registry/target'
import { pairsOf, whyUnlinked } from '@/lib/tables/reference-fields'

/** A reference of another entity, or of the same, as seen from the entity that it refers to. */
export type InverseReference = { name: string; entity: Entity; property: Property }

/** `Order` with a field `customer` is `OrderByCustomer` of the customer, unless the reference names it. */
export function inverseName(
  { name }: Pick<Entity, 'name'>,
  { name: field, rules }: Property,
): string {
  return rules.reference?.inverse ?? `${name}By${field.charAt(0).toUpperCase()}${field.slice(1)}`
}

/** The references to an entity, without those that can't be followed, in the order of their names. A field of the same name hides one. */
export function inverseReferences(entity: Entity, entities: readonly Entity[]): InverseReference[] {
  const own = new Set(entity.properties.map(({ name }) => name))
  const found = entities.flatMap((other) =>
    other.properties
      .filter(({ rules }) => rules.reference?.entity === entity.name)
      .filter((property) => whyUnlinked(other, property, entity) === null)
      .map((property) => ({ name: inverseName(other, property), entity: other, property })),
  )
  return found
    .filter(({ name }) => !own.has(name))
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
  const references = () => inverseReferences(entity, entities)
  return {
    names: () => references().flatMap((one) => (follow(one) ? [one.name] : [])),
    find: (name) => {
      const found = references().find((one) => one.name === name)
      return found ? follow(found) : null
    },
  }
}
