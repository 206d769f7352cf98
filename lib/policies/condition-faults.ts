import type { Entity } from '@/lib/definitions/definition'
import { valueAt } from '@/lib/definitions/definition-faults'
import { AppError, type Validation } from '@/lib/errors'
import { isOfActor, ME } from '@/lib/search/actor-values'
import { wholeTarget } from '@/lib/search/follow'
import { resolveConditions } from '@/lib/search/resolve-conditions'
import { fieldResolver } from '@/lib/search/resolve-field'
import { SearchFaults } from '@/lib/search/search-faults'
import { isObject, type Json } from '@/lib/values/json'

/** Whether a value stands for one of the user's profile, of which only the profile says the type. */
export const isOfProfile = (value: Json): boolean => isOfActor(value) && value !== ME

/** Values such as a user has; the conditions only have to be possible. */
const ANYBODY = '00000000-0000-4000-8000-000000000000'

/** What is wrong with conditions of a policy about `entity`, whatever it hides, at places such as `where.2.field`. */
export function conditionFaults(
  name: 'where' | 'check',
  conditions: Json[],
  entity: Entity,
  entities: readonly Entity[],
): Validation[] {
  const faults = new SearchFaults()
  const fieldOf = fieldResolver(wholeTarget(entity, entities))
  resolveConditions(conditions, name, fieldOf, faults, ANYBODY)
  const isKnown = ({ field }: Validation) => {
    const value = valueAt(conditions, field.split('.').slice(1))
    return !field.endsWith('.value') || ![value].flat().some((one) => isOfProfile(one ?? null))
  }
  return [...validationsOf(faults).filter(isKnown), ...unknownValues(conditions, name)]
}

function validationsOf(faults: SearchFaults): Validation[] {
  try {
    faults.throwIfAny()
    return []
  } catch (error) {
    if (error instanceof AppError) return error.options.validations ?? []
    throw error
  }
}

/** Misspelt values of the user, which would be compared as texts. */
function unknownValues(conditions: readonly Json[], at: string): Validation[] {
  return conditions.flatMap((condition, index) => {
    if (!isObject(condition)) return []
    const place = `${at}.${index}`
    if (Array.isArray(condition.filters))
      return unknownValues(condition.filters, `${place}.filters`)
    const isUnknown = (value: Json) =>
      typeof value === 'string' && value.startsWith(`${ME}.`) && !isOfProfile(value)
    const wrong = [condition.value ?? null].flat().find(isUnknown)
    return wrong === undefined
      ? []
      : [{ field: `${place}.value`, error: `${JSON.stringify(wrong)} is unknown; ${FORMS}` }]
  })
}

const FORMS = 'the user is "$me", and values of their profile are "$me.profile.<key>"'

/** The names of other entities whose records a condition looks at, by references. */
export function followedBy(
  condition: Json,
  entity: Entity,
  entities: readonly Entity[],
): Set<string> {
  const names = new Set<string>()
  const target = wholeTarget(entity, entities, ({ name }) => names.add(name))
  resolveConditions([condition], 'where', fieldResolver(target), new SearchFaults(), ANYBODY)
  names.delete(entity.name)
  return names
}
