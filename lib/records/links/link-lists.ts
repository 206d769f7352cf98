import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { madeOnce } from '@/lib/registry/made-once'
import { mayRead } from '@/lib/registry/may-read'
import { type Inverse, targetOf } from '@/lib/registry/target'
import { pointerTo } from '@/lib/rows/record-faults'
import { readableTarget } from '@/lib/search/find-target'
import {
  type InverseReference,
  inverseFor,
  inverseReferences,
  isOnNodes,
} from '@/lib/search/inverse'
import { requireShownValues } from '../shown-values'

/** The records of another entity that those of one have by the records of `link`. */
export type LinkList = { name: string; link: Entity; far: Entity; reference: InverseReference }

/** The same as its writer may read it. */
export type ReadableList = LinkList & { inverse: Inverse & { link: NonNullable<Inverse['link']> } }

/** The lists of an entity by their names; for the same entities the same. */
export const linkLists = madeOnce(
  (entity, entities): ReadonlyMap<string, LinkList> =>
    new Map(
      inverseReferences(entity, entities).flatMap((reference): [string, LinkList][] => {
        const { name, entity: link, far } = reference
        return far ? [[name, { name, link, far: far.entity, reference }]] : []
      }),
    ),
)

/** Throws `forbidden` without the right to read both entities and what links have of them, `invalid_input` on the nodes of a cluster. */
export function requireReadable(
  entity: Entity,
  list: LinkList,
  actor: Actor,
  entities: readonly Entity[],
): ReadableList {
  const { name, link, far, reference } = list
  const target = targetOf(entity)
  const targetFor = (other: Entity) =>
    mayRead(actor, other) ? readableTarget(other, actor, entities) : null
  const inverse = inverseFor(reference, target, targetFor)
  if (!inverse?.link)
    throw new AppError(
      'forbidden',
      `To write "${name}" you need to read the references of "${link.name}", and "${far.name}"`,
    )
  if (isOnNodes(target, inverse)) throw onNodes(name, link)
  const writer = { actor, entities }
  requireShownValues(entity, { name, entity: link, pairs: inverse.pairs }, writer)
  requireShownValues(far, { name, entity: link, pairs: inverse.link.beyond }, writer)
  return { ...list, inverse: { ...inverse, link: inverse.link } }
}

/** Of a list that no transaction can write together with the record. */
export const onNodes = (name: string, written: Entity) =>
  new AppError(
    'invalid_input',
    `"${name}" can't be written: its records are on the nodes of a cluster. Write those of "${written.name}"`,
    { validations: [{ field: pointerTo(name), error: 'Is on the nodes of a cluster' }] },
  )
