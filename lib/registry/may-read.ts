import { type Actor, can, decide, isUnlimited } from '@/lib/auth/rights'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import type { Entity } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'

type Readable = Pick<Entity, 'name' | 'definition'>

/** Whether `actor` may read records of the entity, by right and by the entity's definition. */
export const mayRead = (actor: Actor, { name, definition }: Readable): boolean =>
  definition.permissions.read && can(actor, { entity: name, action: 'read' })

/**
 * Throws `forbidden` unless `actor` may read the entity. Call it for each `part` of a request
 * whose outcome depends on stored values (conditions, counts, versions), whatever the request does.
 * `instead`: what the actor may do without reading, for the message.
 */
export function requireRead(actor: Actor, entity: Readable, part: string, instead?: string): void {
  if (mayRead(actor, entity)) return
  const reason = entity.definition.permissions.read
    ? `${part} needs the right "${entity.name}:read" too`
    : `${part} needs to read "${entity.name}", which its definition closes to reading`
  throw new AppError('forbidden', instead ? `${reason}; ${instead}` : reason)
}

/**
 * Whether `actor` may read all records of the entity, with all fields: values and numbers of whole tables are shown to
 * nobody else. A right that policies limit in any way is none to that.
 */
export const mayReadAll = (actor: Actor, entity: Readable): boolean =>
  mayRead(actor, entity) &&
  isUnlimited(decide(actor.roles, actor.policies ?? [], { entity: entity.name, action: 'read' }))

/** Throws `forbidden` unless `actor` may read all of the entity; `part` and `instead` as of `requireRead`. */
export function requireReadAll(
  actor: Actor,
  entity: Readable,
  part: string,
  instead?: string,
): void {
  requireRead(actor, entity, part, instead)
  if (mayReadAll(actor, entity)) return
  const reason = `${part} needs the right to all records and fields of "${entity.name}"`
  throw new AppError('forbidden', instead ? `${reason}; ${instead}` : reason)
}

/** A list of records as JSON text; an actor without the right to read gets their ids alone. */
export function responseFor(actor: Actor, entity: Entity, data: string): string {
  if (mayRead(actor, entity)) return data
  const records = JSON.parse(data) as JsonObject[]
  return JSON.stringify(records.map(({ persistenceId }) => ({ persistenceId })))
}

/**
 * Counts of overwritten records for an actor without the right to read: whether a record changed would
 * reveal its stored values, so all of them count as `updated`.
 */
export const withoutUnchanged = (counts: RecordCounts): RecordCounts => ({
  ...counts,
  updated: counts.updated + counts.unchanged,
  unchanged: 0,
})

export const countsFor = (actor: Actor, entity: Entity, counts: RecordCounts): RecordCounts =>
  mayRead(actor, entity) ? counts : withoutUnchanged(counts)

/** Throws `method_not_allowed` for a system entity; `allow` lists the methods of the address. */
export function refuseSystemEntity(name: string, allow: string): void {
  if (!isSystemEntity(name)) return
  throw new AppError('method_not_allowed', `"${name}" is a system entity and read-only`, {
    allow,
  })
}

/** What a request about the definition of an entity needs: `right`, and that the entity is none of the system. */
export const definitionAccess =
  (right: 'plugins:install' | 'plugins:read') =>
  ({ entityName }: { entityName: string }) => {
    refuseSystemEntity(entityName, 'OPTIONS')
    return right
  }
