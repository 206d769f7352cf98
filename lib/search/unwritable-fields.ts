import { type Actor, can } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { forcedValues } from './forced-values'
import { ruleOf } from './rule'

const WRITING = ['write', 'update'] as const

type Actions = (field: string) => (typeof WRITING)[number][]

const actionsOn = (actor: Actor, entity: string) =>
  WRITING.filter((action) => can(actor, { entity, action }))

/** By which of the actions that `actor` has on an entity it gives a field no value, whatever the record: policies let it not, or set the value. */
export function unwritableBy(
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
  setBy = forcedBy(entity, actor, entities),
): Actions {
  const declared = new Set(entity.properties.map(({ name }) => name))
  const rules = actionsOn(actor, entity.name).map((action) => ({
    action,
    rule: ruleOf(actor, entity, action, entities),
  }))
  return (field) =>
    rules.flatMap(({ action, rule }) => {
      if (setBy(field).includes(action)) return [action]
      const verdict = rule?.fields.get(field) ?? (declared.has(field) || rule?.rest)
      return rule && verdict === false ? [action] : []
    })
}

/** By which of these actions policies give a field a value, whatever is sent. */
export function forcedBy(entity: Entity, actor: Actor, entities: readonly Entity[]): Actions {
  const { keys } = entity
  const forcing = actionsOn(actor, entity.name).map((action) => {
    const values = forcedValues(actor, entity, action, entities)
    return { action, names: new Set(values.flatMap((set) => Object.keys(set))) }
  })
  return (field) =>
    forcing.flatMap(({ action, names }) =>
      names.has(field) && !(action === 'update' && keys.includes(field)) ? [action] : [],
    )
}
