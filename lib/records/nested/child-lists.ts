import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { madeOnce } from '@/lib/registry/made-once'
import { mayRead } from '@/lib/registry/may-read'
import { type Inverse, targetOf } from '@/lib/registry/target'
import { readableTarget } from '@/lib/search/find-target'
import { type InverseReference, inverseFor, inverseReferences } from '@/lib/search/inverse'
import { pairsOf } from '@/lib/tables/reference-fields'
import { onNodes } from '../links/link-lists'
import type { OwnerPair } from '../owner-values'
import { requireShownValues } from '../shown-values'

/** The records of `entity` that refer to one by `pairs`. */
export type ChildList = {
  name: string
  entity: Entity
  reference: InverseReference
  pairs: OwnerPair[]
}

/** The lists of records that refer to those of an entity, by their names. */
export const childLists = madeOnce(
  (entity, entities): ReadonlyMap<string, ChildList> =>
    new Map(
      inverseReferences(entity, entities)
        .filter(({ far }) => !far)
        .map((reference): [string, ChildList] => {
          const { name, entity: child } = reference
          return [name, { name, entity: child, reference, pairs: ownerPairs(reference) }]
        }),
    ),
)

function ownerPairs({ property: { name, rules } }: InverseReference): OwnerPair[] {
  if (!rules.reference) return []
  const { columns, fields } = pairsOf(name, rules.reference)
  return columns.map((column, at) => ({
    own: { name: fields[at] ?? '' },
    field: { name: column },
  }))
}

type Writer = { actor: Actor; entities: readonly Entity[] }

/** Throws `invalid_input` on the nodes of a cluster, and as `requireShownValues` does. */
export function requireOwnValues(entity: Entity, list: ChildList, writer: Writer): void {
  if (entity.isDistributed || list.entity.isDistributed) throw onNodes(list.name, list.entity)
  requireShownValues(entity, list, writer)
}

/** The children as their writer reads them. Throws `forbidden` where it may not read the fields that lead to them. */
export function requireReadableChildren(
  entity: Entity,
  { name, entity: child, reference }: ChildList,
  { actor, entities }: Writer,
): Inverse {
  const targetFor = (other: Entity) =>
    mayRead(actor, other) ? readableTarget(other, actor, entities) : null
  const inverse = inverseFor(reference, targetOf(entity), targetFor)
  if (inverse) return inverse
  throw new AppError(
    'forbidden',
    `To change or delete records by "${name}" you need to read the reference "${reference.property.name}" of "${child.name}"`,
  )
}
