import { type Actor, decide, type RecordAction } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { JsonObject } from '@/lib/values/json'
import { isWithoutValues } from './rule'

/** What the policies that are about the caller set in records that an action writes; later ones replace earlier ones. */
export function forcedValues(
  actor: Actor,
  entity: Entity,
  action: RecordAction,
  entities: readonly Entity[],
): JsonObject[] {
  const { rules } = decide(actor.roles, actor.policies ?? [], { entity: entity.name, action })
  return rules.flatMap((policy) =>
    policy.set && !isWithoutValues(policy, entity, actor, entities) ? [policy.set] : [],
  )
}
