import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { type Relation, type SearchTarget, targetOf } from '@/lib/registry/target'
import { pairsOf, whyUnlinked } from './reference-fields'

/**
 * The entity as a search target. Throws `forbidden` when its definition forbids reading.
 * With a `reader` its references can be followed among `entities`: each step throws `forbidden` where
 * the reader may not read the target of the reference.
 */
export function readableTarget(
  entity: Entity,
  reader: Actor | null,
  entities: readonly Entity[],
): SearchTarget {
  const { name, definition } = entity
  if (!definition.permissions.read)
    throw new AppError('forbidden', `The entity "${name}" forbids reading by its definition`)
  const target = targetOf(entity)
  if (!reader) return target
  return {
    ...target,
    reader: reader.userId,
    follow: (field) => follow(entity, field, reader, entities),
  }
}

function follow(
  entity: Entity,
  fieldName: string,
  reader: Actor,
  entities: readonly Entity[],
): Relation | { fault: string } | null {
  const property = entity.properties.find(({ name }) => name === fieldName)
  const reference = property?.rules.reference
  if (!property || !reference) return null
  const referred = entities.find(({ name }) => name === reference.entity)
  const reason = whyUnlinked(entity, property, referred)
  if (reason || !referred)
    return { fault: `The reference of "${fieldName}" can't be followed: ${reason}` }
  requireRight(reader, { entity: referred.name, action: 'read' })
  const target = readableTarget(referred, reader, entities)
  const { columns, fields } = pairsOf(fieldName, reference)
  const [first, ...further] = columns.flatMap((column, at) => {
    const own = targetOf(entity).fields.find(({ name }) => name === column)
    const field = target.fields.find(({ name }) => name === fields[at])
    return own && field ? [{ own, field }] : []
  })
  return first ? { target, field: first.field, further } : null
}
