import type { SearchTarget } from '@/lib/registry/target'
import { hintSorts } from './hint-sorts'
import { keepShape, keptShape, type NamedParts, shapeKey } from './kept-shapes'
import { withDistances } from './places'
import { resolveConditions } from './resolve-conditions'
import { resolveExpand } from './resolve-expand'
import { type FieldResolver, fieldResolver } from './resolve-field'
import { resolveGroup } from './resolve-group'
import { resolveFields, resolveSort } from './resolve-names'
import type { Expansion, Resolved, ResolvedSearch } from './resolved'
import { SearchFaults } from './search-faults'
import type { SearchInput } from './search-input'
import { Joins } from './sql-terms'
import { bestFirst, SHOWN, SORTED, withWords, wordsOf, wordsReader } from './text-search'

const MAX_SORTS = 16

/**
 * Resolves a search against `target`. Throws `invalid_input` that names every fault, and `forbidden` as
 * `follow` of the target does.
 */
export function resolveSearch(target: SearchTarget, input: SearchInput): ResolvedSearch {
  const joins = new Joins(target.rule?.joins)
  const faults = new SearchFaults()
  const key = shapeKey(input)
  const known = keptShape(target, key)
  const fieldOf = searchedFields(target, joins)
  const expand = known?.expand ?? resolveExpand(target, input, faults)
  const requested = [
    ...resolveRequested(target, input, fieldOf, faults),
    ...resolveTyped(input, fieldOf, faults),
  ]
  const where = withRule(target, requested)
  const shape = known ?? resolveShape(input, expand, fieldOf, faults, requested)
  const { fields, group } = shape
  const sort = hintSorts(target, shape.sort, where)
  const { page, size, count } = input
  const resolved: ResolvedSearch = {
    where,
    sort,
    fields,
    group,
    expand: shape.expand,
    joins: joins.list,
    page,
    size,
    count,
    after: undefined,
  }
  if (!Number.isSafeInteger((input.page + 1) * input.size + 1)) faults.add('page', 'Is too large')
  faults.throwIfAny()
  if (!known) keepShape(target, key, shape)
  return resolved
}

const searchedFields = (target: SearchTarget, joins: Joins): FieldResolver =>
  Object.assign(fieldResolver(target, joins), { words: wordsReader(target) })

/** The text search of `q`. */
function resolveTyped(
  { q }: SearchInput,
  { words }: FieldResolver,
  faults: SearchFaults,
): Resolved[] {
  if (q === undefined || !words) return []
  const found = words(q)
  if (!('fault' in found)) return [{ type: 'words', words: found, of: [] }]
  faults.add('q', found.fault)
  return []
}

/** What is returned, and in which order. `where`: the conditions of the request, without those of a rule. */
function resolveShape(
  input: SearchInput,
  expand: Expansion[],
  fieldOf: FieldResolver,
  faults: SearchFaults,
  where: Resolved[],
): NamedParts {
  const { groupBy, cursor } = input
  if (input.sort.length > MAX_SORTS)
    faults.add('sort', `A search sorts by at most ${MAX_SORTS} fields`)
  if (groupBy && cursor) faults.add(cursor.name, 'Groups only have pages, not cursors')
  if (groupBy && expand.length > 0) faults.add('expand', 'Groups have no references')
  if (groupBy)
    return {
      ...{ sort: [], fields: null, expand },
      group: resolveGroup({ ...input, groupBy }, fieldOf, faults),
    }
  const words = wordsOf(where.toReversed())
  const placed = withDistances(fieldOf, where)
  const sort = resolveSort(input.sort, withWords(placed, words, SORTED), faults)
  if (sort.length === 0 && words && input.q !== undefined) sort.push(bestFirst(words))
  const names = input.fields ?? []
  const referred = expand.filter(({ list }) => !list).map(({ field }) => field)
  const all = names.length > 0 ? [...names, ...referred] : names
  const fields = resolveFields(all, withWords(placed, words, SHOWN), faults)
  return { sort, fields, group: null, expand }
}

/** The conditions alone, with the columns they need of referred tables; throws as `resolveSearch` does. */
export function resolveMatches(
  target: SearchTarget,
  input: Conditions,
): Required<Pick<ResolvedSearch, 'where' | 'joins'>> {
  const faults = new SearchFaults()
  const joins = new Joins(target.rule?.joins)
  const requested = resolveRequested(target, input, searchedFields(target, joins), faults)
  faults.throwIfAny()
  return { where: withRule(target, requested), joins: joins.list }
}

/**
 * The conditions of a request alone, on the table itself, without those of the target's rule; throws as
 * `resolveSearch` does.
 */
export const resolveWhere = (target: SearchTarget, input: Conditions): Resolved[] =>
  resolveMatchesHere({ ...target, rule: undefined }, input).where

/** The same as `resolveMatches`, where conditions of a request do not go beyond the table. */
export const resolveMatchesHere = (target: SearchTarget, input: Conditions) =>
  resolveMatches({ ...target, follow: notFollowed, inverse: undefined }, input)

type Conditions = Pick<SearchInput, 'conditions' | 'conditionsName'>

/** The conditions of the target's rule, then those of the request. */
function withRule(target: SearchTarget, requested: Resolved[]): Resolved[] {
  return [...(target.rule?.where ?? []), ...requested]
}

const resolveRequested = (
  { reader }: SearchTarget,
  { conditions, conditionsName }: Conditions,
  fieldOf: FieldResolver,
  faults: SearchFaults,
): Resolved[] => resolveConditions(conditions, conditionsName, fieldOf, faults, reader)

const notFollowed = (field: string) => ({
  fault: `References are not followed here, so no condition goes beyond "${field}"`,
})
