import type { SearchTarget } from '@/lib/entities/target'
import { Faults } from './faults'
import { resolveConditions } from './resolve-conditions'
import { type FieldResolver, fieldResolver, ID_FIELD } from './resolve-field'
import { resolveGroup } from './resolve-group'
import type { OutputField, Resolved, ResolvedSearch, ResolvedSort } from './resolved'
import type { SearchInput, SortInput } from './search-input'

const MAX_SORTS = 16

/** Resolves a search against `target`. Throws `invalid_input` that names every fault. */
export function resolveSearch(target: SearchTarget, input: SearchInput): ResolvedSearch {
  const fieldOf = fieldResolver(target)
  const faults = new Faults()
  const resolved: ResolvedSearch = {
    where: resolveConditions(input.conditions, input.conditionsName, fieldOf, faults),
    ...resolveShape(input, fieldOf, faults),
    page: input.page,
    size: input.size,
    count: input.count,
  }
  if (!Number.isSafeInteger((input.page + 1) * input.size + 1)) faults.add('page', 'Is too large')
  faults.throwIfAny()
  return resolved
}

/** What is answered, and in which order. */
function resolveShape(input: SearchInput, fieldOf: FieldResolver, faults: Faults) {
  const { groupBy, cursor } = input
  if (input.sort.length > MAX_SORTS)
    faults.add('sort', `A search sorts by at most ${MAX_SORTS} fields`)
  if (groupBy && cursor) faults.add(cursor.name, 'Groups have pages alone, and no cursors')
  if (groupBy)
    return { sort: [], fields: null, group: resolveGroup({ ...input, groupBy }, fieldOf, faults) }
  const sort = resolveSort(input.sort, fieldOf, faults)
  return { sort, fields: resolveFields(input.fields, fieldOf, faults), group: null }
}

/** The conditions alone; throws as `resolveSearch` does. */
export function resolveWhere(
  target: SearchTarget,
  { conditions, conditionsName }: Pick<SearchInput, 'conditions' | 'conditionsName'>,
): Resolved[] {
  const faults = new Faults()
  const where = resolveConditions(conditions, conditionsName, fieldResolver(target), faults)
  faults.throwIfAny()
  return where
}

function resolveSort(sort: SortInput[], fieldOf: FieldResolver, faults: Faults): ResolvedSort[] {
  return sort.flatMap(({ field: name, direction }, index) => {
    const field = fieldOf(name)
    if (!('fault' in field)) return { field, direction }
    faults.add(`sort.${index}.field`, field.fault)
    return []
  })
}

function resolveFields(
  names: string[] | undefined,
  fieldOf: FieldResolver,
  faults: Faults,
): OutputField[] | null {
  if (!names || names.length === 0) return null
  return [...new Set(names)].flatMap((name): OutputField[] => {
    if (name === ID_FIELD) return [{ type: 'id' }]
    const field = fieldOf(name)
    if (!('fault' in field)) return [{ type: 'field', field }]
    faults.add(`fields.${names.indexOf(name)}`, field.fault)
    return []
  })
}
