import type { Inverse, SearchTarget } from '@/lib/registry/target'
import { shorten, unknownName } from '@/lib/values/unknown-name'
import { isOnNodes } from './inverse'
import { linkRows } from './link-sql'
import { withDistances } from './places'
import { resolveConditions } from './resolve-conditions'
import { fieldResolver, MAX_FOLLOWED } from './resolve-field'
import { resolveFields, resolveSort } from './resolve-names'
import type { Expansion, RelatedList } from './resolved'
import type { SearchFaults } from './search-faults'
import { DEFAULT_LIMIT, type ExpandInput, type SearchInput } from './search-input'
import { Joins } from './sql-terms'

const MAX_PATHS = 16
/** Of records in lists, in all the records of a page. */
const MAX_LISTED = 10_000

/**
 * Resolves paths of references and of records that refer to these, `region.country` as an expansion within `region`; adds every fault
 * to `faults`. Throws `forbidden` as `follow` of the target does.
 */
export function resolveExpand(
  target: SearchTarget,
  { expand: paths = [], size }: Pick<SearchInput, 'expand' | 'size'>,
  faults: SearchFaults,
): Expansion[] {
  const roots: Expansion[] = []
  const chosen = new Set<RelatedList>()
  if (paths.length > MAX_PATHS) faults.add('expand', `At most ${MAX_PATHS} paths can be expanded`)
  for (const [index, input] of paths.slice(0, MAX_PATHS).entries()) {
    const at = `expand.${index}`
    const path = typeof input === 'string' ? input : input.relation
    const names = path.split('.')
    const fault =
      names.length > MAX_FOLLOWED
        ? `"${shorten(path)}" follows more than ${MAX_FOLLOWED} references`
        : addPath(target, roots, names, { prefix: '', input, at, faults, chosen })
    if (fault) faults.add(at, fault)
  }
  const listed = listedIn(roots, size)
  if (listed > MAX_LISTED)
    faults.add(
      'expand',
      `Would return up to ${listed} records in lists; at most ${MAX_LISTED}: ask for fewer by "limit" or "size"`,
    )
  return roots
}

/** How many records lists have at most, for so many records. */
const listedIn = (expand: readonly Expansion[], records: number): number =>
  expand.reduce((sum, one) => {
    const each = records * (one.list?.limit ?? 1)
    return sum + (one.list ? each : 0) + listedIn(one.expand, each)
  }, 0)

type Place = {
  prefix: string
  input: string | ExpandInput
  at: string
  faults: SearchFaults
  /** Lists of which the request has said what they hold. */
  chosen: Set<RelatedList>
}

/** Adds the new parts of a path to `list`; returns a fault, if any. */
function addPath(
  target: SearchTarget,
  list: Expansion[],
  [name, ...rest]: string[],
  place: Place,
): string | null {
  if (name === undefined) return null
  const known = list.find(({ field }) => field === name)
  const found = known ?? expansionOf(target, name, place.prefix)
  if ('fault' in found) return found.fault
  if (!known) list.push(found)
  if (rest.length === 0) return choose(found, place)
  return addPath(found.relation.target, found.expand, rest, {
    ...place,
    prefix: `${place.prefix}${name}.`,
  })
}

function expansionOf(
  target: SearchTarget,
  name: string,
  prefix: string,
): Expansion | { fault: string } {
  const known = target.fields.find((field) => field.name === name)
  const inverse = known ? null : (target.inverse?.find(name) ?? null)
  if (inverse) return listOf(inverse, name, target, prefix)
  if (!known) {
    const names = [...target.fields.map((field) => field.name), ...(target.inverse?.names() ?? [])]
    const shown = names.map((one) => prefix + one)
    return { fault: unknownName('field', prefix + name, shown) }
  }
  const relation = target.follow?.(name) ?? null
  if (relation === null)
    return { fault: `"${prefix}${name}" refers to no other entity, so it can't be expanded` }
  return 'fault' in relation
    ? relation
    : { field: name, column: known.column, relation, expand: [] }
}

/** All that refer to the record, the first by their keys. */
function listOf(
  inverse: Inverse,
  field: string,
  searched: SearchTarget,
  prefix: string,
): Expansion | { fault: string } {
  const { target, pairs, link } = inverse
  const [first, ...further] = pairs
  if (!first || isOnNodes(searched, inverse))
    return {
      fault: `"${prefix}${field}" can't be listed: its records are on the nodes of a cluster`,
    }
  const { own, field: referring } = first
  const joins = new Joins(target.rule?.joins).list
  const between = link ? { link: linkRows(link, pairs) } : {}
  const list = { own, joins, where: [], sort: [], fields: null, limit: DEFAULT_LIMIT, ...between }
  const relation = { target, field: referring, further }
  return { field, column: own.column, relation, expand: [], list }
}

/** Takes what the request says of a list. */
function choose({ relation: { target }, list }: Expansion, place: Place): string | null {
  const { input, at, faults, chosen } = place
  if (typeof input === 'string') return null
  if (list && chosen.has(list)) return `"${shorten(input.relation)}" is described twice`
  if (!list) return `"${shorten(input.relation)}" is one record: only lists take more than a name`
  chosen.add(list)
  const joins = new Joins(target.rule?.joins)
  const fieldOf = fieldResolver(target, joins)
  list.where = resolveConditions(input.query, `${at}.query`, fieldOf, faults, target.reader)
  const placed = withDistances(fieldOf, list.where)
  list.sort = resolveSort(input.sort, placed, faults, `${at}.`)
  list.fields = resolveFields(input.fields, placed, faults, `${at}.`)
  list.limit = input.limit
  list.joins = joins.list
  return null
}
