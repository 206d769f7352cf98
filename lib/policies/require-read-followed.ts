import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { requireReadAll } from '@/lib/registry/may-read'
import type { Json } from '@/lib/values/json'
import { followedBy } from './condition-faults'

/**
 * Throws `forbidden` unless `caller` may read all of each entity that conditions on `entity` follow references to: which
 * records meet them tells of the values there. `part`: of the request, for the message.
 */
export function requireReadFollowed(
  caller: Actor,
  conditions: readonly Json[],
  { entity, entities }: { entity: Entity; entities: readonly Entity[] },
  part: string,
): void {
  const names = new Set(
    conditions.flatMap((condition) => [...followedBy(condition, entity, entities)]),
  )
  for (const followed of entities)
    if (names.has(followed.name)) requireReadAll(caller, followed, part)
}
