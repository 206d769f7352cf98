import { LOGICAL, type LogicalName } from '@/lib/definitions/operators'
import type { FieldResolver } from '@/lib/search/resolve-field'
import type { Resolved } from '@/lib/search/resolved'
import type { ConditionInput } from '@/lib/search/search-input'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { resolveTest } from './resolve-test'
import type { SearchFaults } from './search-faults'

const MAX_NESTING = 8
const MAX_CONDITIONS = 500

/** Resolves the list of conditions at `path`; adds every fault to `faults`. `reader`: as of a target. */
export function resolveConditions(
  conditions: ConditionInput[],
  path: string,
  fieldOf: FieldResolver,
  faults: SearchFaults,
  reader: string | null,
): Resolved[] {
  let count = 0

  const resolveAll = (list: Json[], at: string, depth: number): Resolved[] =>
    // The rest of a longer list is ignored: the list is refused anyway.
    list
      .slice(0, MAX_CONDITIONS + 1)
      .flatMap((condition, index) => resolveOne(condition, `${at}.${index}`, depth) ?? [])

  const resolveOne = (condition: Json, at: string, depth: number): Resolved | null => {
    if (++count === MAX_CONDITIONS + 1)
      faults.add(at, `A search has at most ${MAX_CONDITIONS} conditions`)
    if (count > MAX_CONDITIONS) return null
    if (!isObject(condition)) {
      faults.add(at, 'A condition is an object: { field, operator, value }')
      return null
    }
    const logic = logicOf(condition)
    if (!logic) return resolveTest(condition, at, fieldOf, faults, reader)
    const filters = filtersOf(condition, at, depth, faults)
    return filters && { type: logic, of: resolveAll(filters, `${at}.filters`, depth + 1) }
  }

  return resolveAll(conditions, path, 0)
}

function logicOf({ operator }: JsonObject): LogicalName | null {
  const name = typeof operator === 'string' ? operator.toLowerCase() : ''
  return LOGICAL.find((logic) => logic === name) ?? null
}

/** The conditions below a logical one, or null when it is malformed. */
function filtersOf(
  condition: JsonObject,
  at: string,
  depth: number,
  faults: SearchFaults,
): Json[] | null {
  const { filters } = condition
  faults.addUnknown(condition, LOGIC_KEYS, at)
  if (depth >= MAX_NESTING) {
    faults.add(at, `Conditions nest at most ${MAX_NESTING} levels deep`)
    return null
  }
  if (Array.isArray(filters) && filters.length > 0) return filters
  faults.add(`${at}.filters`, `"${condition.operator}" needs a list of at least one condition`)
  return null
}

const LOGIC_KEYS = ['operator', 'filters']
