import { appUrl } from '@/lib/auth/app-url'
import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import { findAmongAll } from '@/lib/registry/registry'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import { type SearchTarget, targetOf } from '@/lib/registry/target'
import { suggestion } from '@/lib/values/nearest'
import { follow } from './follow'
import { inverseOf } from './inverse'
import { foundOnce, targetsFor } from './reader-targets'
import { restrictedTarget } from './restricted-target'
import { requireCarriedOut } from './rule-size'

/**
 * What requests that read `name` search. Throws `not_found` with the nearest name, and `forbidden`
 * when the entity's definition forbids reading. With a `reader` references can be followed.
 */
export async function findTarget(
  deps: Deps,
  name: string,
  reader: Actor | null = null,
): Promise<SearchTarget> {
  if (isSystemEntity(name)) {
    const target = withAddresses(systemTarget(name), appUrl(deps.settings))
    return reader ? { ...target, reader: reader.userId } : target
  }
  const { entity, entities } = await findAmongAll(deps, name)
  return readableTarget(entity, reader, entities)
}

function systemTarget(name: string): SearchTarget {
  const target = SYSTEM_ENTITIES.get(name)
  if (target) return target
  const close = suggestion(name, SYSTEM_ENTITIES.keys())
  throw new AppError('not_found', `There is no entity ${JSON.stringify(name)}${close}`)
}

/** The target with its addresses absolute, as everywhere else in the API. */
function withAddresses(target: SearchTarget, base: string): SearchTarget {
  if (!target.fields.some(({ address }) => address)) return target
  const origin = `'${base.replaceAll("'", "''")}'`
  const fields = target.fields.map((field) => {
    if (!field.address) return field
    const path = `"${field.column}"`
    return {
      ...field,
      expression: `case when ${path} like '/%' then ${origin} || ${path} else ${path} end`,
    }
  })
  return { ...target, fields }
}

/**
 * The entity as a search target. Throws `forbidden` when its definition forbids reading.
 * With a `reader` it has the rows and fields that the reader may see, and its references can be followed among
 * `entities`: each step throws `forbidden` where the reader may not read the target of the reference.
 * Throws the same where policies say more than can be carried out.
 */
export function readableTarget(
  entity: Entity,
  reader: Actor | null,
  entities: readonly Entity[],
): SearchTarget {
  const { name, definition } = entity
  if (!definition.permissions.read)
    throw new AppError('forbidden', `The entity "${name}" forbids reading by its definition`)
  if (!reader) return targetOf(entity)
  const known = targetsFor(reader, entities)
  const target = known?.get(entity) ?? targetFor(reader, entity, entities)
  known?.set(entity, target)
  return target
}

function targetFor(reader: Actor, entity: Entity, entities: readonly Entity[]): SearchTarget {
  const target = restrictedTarget(entity, reader, entities)
  requireCarriedOut(target, entity.name)
  const readable = (referred: Entity) => {
    requireRight(reader, { entity: referred.name, action: 'read' })
    return readableTarget(referred, reader, entities)
  }
  const referring = (other: Entity) =>
    mayRead(reader, other) ? readableTarget(other, reader, entities) : null
  const { names, find } = inverseOf(entity, target, entities, referring)
  return {
    ...target,
    reader: reader.userId,
    inverse: { names, find: foundOnce(find) },
    follow: foundOnce((field) => follow(entity, target, field, entities, readable)),
  }
}
