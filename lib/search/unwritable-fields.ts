import { type Actor, can } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { ruleOf } from './rule'

const WRITING = ['write', 'update'] as const

/** By which of the actions that `actor` has on an entity a field gets no value, whatever the record. */
export function unwritableBy(
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
): (field: string) => (typeof WRITING)[number][] {
  const declared = new Set(entity.properties.map(({ name }) => name))
  const rules = WRITING.filter((action) => can(actor, { entity: entity.name, action })).map(
    (action) => ({ action, rule: ruleOf(actor, entity, action, entities) }),
  )
  return (field) =>
    rules.flatMap(({ action, rule }) => {
      const verdict = rule?.fields.get(field) ?? (declared.has(field) || rule?.rest)
      return rule && verdict === false ? [action] : []
    })
}
