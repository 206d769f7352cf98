import { type Actor, can } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'

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
