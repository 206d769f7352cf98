import type { Entity } from '@/lib/definitions/definition'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import type { Validation } from '@/lib/errors'
import { isObject, type Json } from '@/lib/values/json'
import { followedBy } from './condition-faults'
import { entitiesOf } from './policy-faults'

/** A condition about one entity looks at records of another one. */
type Step = { from: string; to: string; policy: string; place: string }

/**
 * A fault when the conditions of a policy, with those of the `others`, lead from an entity by references to others and
 * back to it. An entity that refers to itself is no circle.
 */
export function cycleFaults(
  definition: PolicyDefinition,
  others: readonly PolicyDefinition[],
  entities: readonly Entity[],
): Validation[] {
  const own = stepsOf(definition, entities)
  if (own.length === 0) return []
  const all = [...own, ...others.flatMap((other) => stepsOf(other, entities))]
  for (const step of own) {
    const back = pathBetween(step.to, step.from, all)
    if (back) return [{ field: step.place, error: messageOf([step, ...back]) }]
  }
  return []
}

function stepsOf(definition: PolicyDefinition, entities: readonly Entity[]): Step[] {
  const conditions = [...placed('where', definition.where), ...placed('check', definition.check)]
  return entitiesOf(definition, entities).flatMap((entity) =>
    conditions.flatMap(({ place, condition }) =>
      [...followedBy(condition, entity, entities)].map((to) => ({
        ...{ from: entity.name, to, place },
        policy: definition.name,
      })),
    ),
  )
}

const placed = (name: string, list: readonly Json[] = []) =>
  list.map((condition, at) => ({
    condition,
    place: `${name}.${at}${isObject(condition) && 'field' in condition ? '.field' : ''}`,
  }))

/** The fewest steps from one entity to another; null: there are none. */
function pathBetween(from: string, to: string, steps: readonly Step[]): Step[] | null {
  const seen = new Set([from])
  let paths: Step[][] = [[]]
  while (paths.length > 0) {
    const next: Step[][] = []
    for (const path of paths) {
      const at = path.at(-1)?.to ?? from
      for (const step of steps) {
        if (step.from !== at) continue
        if (step.to === to) return [...path, step]
        if (seen.has(step.to)) continue
        seen.add(step.to)
        next.push([...path, step])
      }
    }
    paths = next
  }
  return null
}

function messageOf(circle: readonly Step[]): string {
  const [first] = circle
  const names = [first?.from, ...circle.map(({ to }) => to)].join(' → ')
  const others = [...new Set(circle.slice(1).map(({ policy }) => `"${policy}"`))]
  return `Policies must not lead in a circle by references: ${names}, with the policy ${others.join(', ')}`
}
