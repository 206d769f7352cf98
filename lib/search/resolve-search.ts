import type { SearchTarget } from '@/lib/registry/target'
import { Joins } from './joins'
import { hintSort } from './resolve/hint-sort'
import { resolveConditions } from './resolve/resolve-conditions'
import { resolveExpand } from './resolve/resolve-expand'
import { resolveGroup } from './resolve/resolve-group'
import { SearchFaults } from './resolve/search-faults'
import { type FieldResolver, fieldResolver, ID_FIELD } from './resolve-field'
import type { Expansion, OutputField, Resolved, ResolvedSearch, ResolvedSort } from './resolved'
import type { SearchInput, SortInput } from './search-input'

const MAX_SORTS = 16

/**
 * Resolves a search against `target`. Throws `invalid_input` that names every fault, and `forbidden` as
 * `follow` of the target does.
 */
export function resolveSearch(target: SearchTarget, input: SearchInput): ResolvedSearch {
  const joins = new Joins()
  const fieldOf = fieldResolver(target, joins)
  const faults = new SearchFaults()
  const expand = resolveExpand(target, input.expand ?? [], faults)
  const where = resolveConditions(
    input.conditions,
    input.conditionsName,
    fieldOf,
    faults,
    target.reader ?? null,
  )
  const shape = resolveShape(input, expand, fieldOf, faults)
  const resolved: ResolvedSearch = {
    where,
    ...shape,
    sort: shape.sort.map((one) => hintSort(target, one, where)),
    expand,
    joins: joins.list,
    page: input.page,
    size: input.size,
    count: input.count,
  }
  if (!Number.isSafeInteger((input.page + 1) * input.size + 1)) faults.add('page', 'Is too large')
  faults.throwIfAny()
  return resolved
}

/** What is returned, and in which order. */
function resolveShape(
  input: SearchInput,
  expand: Expansion[],
  fieldOf: FieldResolver,
  faults: SearchFaults,
) {
  const { groupBy, cursor } = input
  if (input.sort.length > MAX_SORTS)
    faults.add('sort', `A search sorts by at most ${MAX_SORTS} fields`)
  if (groupBy && cursor) faults.add(cursor.name, 'Groups only have pages, not cursors')
  if (groupBy && expand.length > 0) faults.add('expand', 'Groups have no references')
  if (groupBy)
    return { sort: [], fields: null, group: resolveGroup({ ...input, groupBy }, fieldOf, faults) }
  const sort = resolveSort(input.sort, fieldOf, faults)
  const names = input.fields ?? []
  const all = names.length > 0 ? [...names, ...expand.map(({ field }) => field)] : names
  return { sort, fields: resolveFields(all, fieldOf, faults), group: null }
}

/** The conditions alone, with the columns they need of referred tables; throws as `resolveSearch` does. */
export function resolveMatches(
  target: SearchTarget,
  { conditions, conditionsName }: Pick<SearchInput, 'conditions' | 'conditionsName'>,
): Pick<ResolvedSearch, 'where' | 'joins'> {
  const faults = new SearchFaults()
  const joins = new Joins()
  const fieldOf = fieldResolver(target, joins)
  const where = resolveConditions(
    conditions,
    conditionsName,
    fieldOf,
    faults,
    target.reader ?? null,
  )
  faults.throwIfAny()
  return { where, joins: joins.list }
}

/** The conditions alone, on the table itself; throws as `resolveSearch` does. */
export const resolveWhere = (
  target: SearchTarget,
  input: Pick<SearchInput, 'conditions' | 'conditionsName'>,
): Resolved[] => resolveMatches({ ...target, follow: notFollowed }, input).where

function resolveSort(
  sort: SortInput[],
  fieldOf: FieldResolver,
  faults: SearchFaults,
): ResolvedSort[] {
  return sort.flatMap(({ field: name, direction }, index) => {
    const field = fieldOf(name)
    if (!('fault' in field)) return { field, direction }
    faults.add(`sort.${index}.field`, field.fault)
    return []
  })
}

function resolveFields(
  names: string[],
  fieldOf: FieldResolver,
  faults: SearchFaults,
): OutputField[] | null {
  if (names.length === 0) return null
  return [...new Set(names)].flatMap((name): OutputField[] => {
    if (name === ID_FIELD) return [{ type: 'id' }]
    const field = fieldOf(name)
    if (!('fault' in field)) return [{ type: 'field', field }]
    faults.add(`fields.${names.indexOf(name)}`, field.fault)
    return []
  })
}

const notFollowed = (field: string) => ({
  fault: `References are not followed here, so no condition goes beyond "${field}"`,
})
