import type { Entity, Property } from '@/lib/definitions/definition'
import { linkedBy } from '@/lib/definitions/link'
import { madeOnce } from '@/lib/registry/made-once'
import type { FieldPair, Inverse, SearchTarget } from '@/lib/registry/target'
import { pairsOf, whyUnlinked } from '@/lib/tables/reference-fields'

/**
 * A reference of another entity, or of the same, as seen from the entity that it refers to; with `far` the records that
 * `entity`, a link, leads to by its other reference, `property` of `far`.
 */
export type InverseReference = {
  name: string
  entity: Entity
  property: Property
  far?: { entity: Entity; property: Property }
}

/**
 * The references to an entity, without those that can't be followed, in the order of their names: what the reference calls its other
 * direction, or `OrderByCustomer` for the field `customer` of `Order`. Of a link that is the other side, `FilmTagByFilmToTag` where its
 * reference does not say. A name that is taken, by a field or by two references, is not used.
 */
export const inverseReferences = madeOnce(findReferences)

function findReferences(entity: Entity, entities: readonly Entity[]): readonly InverseReference[] {
  const found = entities.flatMap((other) =>
    other.properties
      .filter(({ rules }) => rules.reference?.entity === entity.name)
      .filter((property) => whyUnlinked(other, property, entity) === null)
      .flatMap((property) => [
        { entity: other, property },
        ...farSide({ entity: other, property }, entities),
      ]),
  )
  const declared = entity.properties.map(({ name }) => name)
  const own = [...declared, ...(entity.open ? entity.extraFields : [])]
  const named = found.filter(({ entity, far }) => far || !linkedBy(entity))
  const chosen = named.flatMap(({ property }) => property.rules.reference?.inverse ?? [])
  const isTaken = (name: string) => [...own, ...chosen].filter((one) => one === name).length > 1
  const nameOf = (one: Unnamed): string => {
    const inverse = named.includes(one) ? one.property.rules.reference?.inverse : undefined
    return inverse === undefined || isTaken(inverse) ? usualName(one) : inverse
  }
  return found
    .map((one) => ({ ...one, name: nameOf(one) }))
    .filter(({ name }) => !own.includes(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

type Unnamed = Omit<InverseReference, 'name'>

const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const usualName = ({ entity, property, far }: Unnamed): string =>
  `${entity.name}By${capital(property.name)}${far ? `To${capital(far.property.name)}` : ''}`

/** What a link leads to from one of its references: nothing where it is no link, or can't be followed. */
function farSide({ entity, property }: Unnamed, entities: readonly Entity[]): Unnamed[] {
  const other = linkedBy(entity)?.find(({ name }) => name !== property.name)
  const far = entities.find(({ name }) => name === other?.rules.reference?.entity)
  if (!other || !far || whyUnlinked(entity, other, far) !== null) return []
  return [{ entity, property, far: { entity: far, property: other } }]
}

/** The fields of a reference as both sides show them, `own` those of what it refers to; null where one of them is hidden. */
function shownPairs(
  { name, rules: { reference } }: Property,
  referring: SearchTarget,
  referred: SearchTarget,
): FieldPair[] | null {
  if (!reference) return null
  const { columns, fields } = pairsOf(name, reference)
  const pairs = columns.flatMap((column, at) => {
    const field = referring.fields.find(({ name }) => name === column)
    const own = referred.fields.find(({ name }) => name === fields[at])
    return own && field ? [{ own, field }] : []
  })
  return pairs.length === columns.length ? pairs : null
}

type TargetFor = (referring: Entity) => SearchTarget | null

/** The relation as a reader sees it; null where it may not read what it needs. */
export function inverseFor(
  { entity, property, far }: InverseReference,
  target: SearchTarget,
  targetFor: TargetFor,
): Inverse | null {
  const referring = targetFor(entity)
  const pairs = referring && shownPairs(property, referring, target)
  if (!referring || !pairs) return null
  if (!far) return { target: referring, pairs }
  const other = targetFor(far.entity)
  const beyond = other && shownPairs(far.property, referring, other)
  return other && beyond ? { target: other, pairs, link: { target: referring, beyond } } : null
}

/** The relations of `target`, which is `entity` as a reader sees it. `targetFor` is null for entities that the reader may not read. */
export function inverseOf(
  entity: Entity,
  target: SearchTarget,
  entities: readonly Entity[],
  targetFor: TargetFor,
): NonNullable<SearchTarget['inverse']> {
  const follow = (one: InverseReference) => inverseFor(one, target, targetFor)
  const references = () => inverseReferences(entity, entities)
  return {
    names: () => references().flatMap((one) => (follow(one) ? [one.name] : [])),
    find: (name) => {
      const reference = references().find((one) => one.name === name)
      return reference ? follow(reference) : null
    },
  }
}

/** Whether records of it are on the nodes of a cluster, where rows of two tables need not meet. */
export const isOnNodes = (own: SearchTarget, { target, link }: Inverse): boolean =>
  [own, target, link?.target].some((one) => one?.isDistributed)
