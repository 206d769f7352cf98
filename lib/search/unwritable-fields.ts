import { type Actor, can, decide } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { ruleOf } from './rule'

const WRITING = ['write', 'update'] as const

/** By which of the actions that `actor` has on an entity it gives a field no value, whatever the record: policies let it not, or set the value. */
export function unwritableBy(
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
): (field: string) => (typeof WRITING)[number][] {
  const declared = new Set(entity.properties.map(({ name }) => name))
  const rules = WRITING.flatMap((action) => {
    const decision = decide(actor.roles, actor.policies ?? [], { entity: entity.name, action })
    if (!can(actor, { entity: entity.name, action })) return []
    const set = new Set(decision.rules.flatMap((policy) => Object.keys(policy.set ?? {})))
    return [{ action, rule: ruleOf(actor, entity, action, entities), set }]
  })
  return (field) =>
    rules.flatMap(({ action, rule, set }) => {
      if (set.has(field)) return [action]
      const verdict = rule?.fields.get(field) ?? (declared.has(field) || rule?.rest)
      return rule && verdict === false ? [action] : []
    })
}
