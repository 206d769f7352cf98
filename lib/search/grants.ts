import { type Actor, decide, type PolicyRule, type RecordAction } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { wholeTarget } from './follow'
import { fieldResolver } from './resolve-field'
import { placeAt, type RuleMoment } from './rule'
import { type Join, Joins } from './sql-terms'
import type { Verdict } from './verdict'

/** The policies that allow an action, each with where it does; over the whole entity and what `joins` adds to it. */
export type Grants = { list: { policy: PolicyRule; when: Verdict }[]; joins: Join[] }

/**
 * Null where there is no more than one, or a role allows the action by itself: then it is the same policy before a change
 * and after it.
 */
export function grantsOf(
  actor: Actor,
  entity: Entity,
  action: RecordAction,
  entities: readonly Entity[],
  moment: RuleMoment,
): Grants | null {
  const { role, rules } = decide(actor.roles, actor.policies ?? [], { entity: entity.name, action })
  if (role !== null || rules.length < 2) return null
  const joins = new Joins()
  const fieldOf = fieldResolver(wholeTarget(entity, entities), joins)
  const list = rules.map((policy) => {
    const place = placeAt(policy, moment, { entity, actor, fieldOf })
    return { policy, when: typeof place === 'string' ? false : place }
  })
  return { list, joins: joins.list }
}
