import type { AddedPart, Entity } from '@/lib/definitions/definition'
import type { SearchShape, ShapeCondition } from '@/lib/definitions/search-shape'
import { hasOperators } from '@/lib/kinds/kind'
import { targetOf } from '@/lib/registry/target'
import { type FieldResolver, fieldResolver } from '@/lib/search/resolve-field'
import type { FieldRef } from '@/lib/search/resolved'
import { type IndexRequest, partOf, request } from './index-request'
import { isJson, isSortable } from './read-index-request'
import { type Classified, classifyTest } from './suggest/classify-test'

export type Suggested = { request: IndexRequest; why: string }

/**
 * The indexes that help searches of a shape, the most selective kind first, and what none of them helps.
 * `distinct`: the number of different values of a column, as far as it is known.
 */
export function suggestIndexes(
  entity: Entity,
  shape: SearchShape,
  distinct: ReadonlyMap<string, number> = new Map(),
): { indexes: Suggested[]; notes: string[] } {
  const fieldOf = fieldResolver(targetOf(entity))
  const { tests, others } = flatten(shape.where, fieldOf)
  const branches = others.map((other) => branchesOf(other, fieldOf))
  const indexes = [
    ...contentIndexes(tests),
    ...orderedIndex(entity, shape, tests, fieldOf, distinct),
    ...branches.flatMap((found) => found ?? []),
  ]
  const unserved = branches.filter((found) => found === null).length
  return { indexes: once(indexes), notes: notesOn(shape, tests, unserved) }
}

/** The tests that must all hold, and the conditions that are no such tests. */
function flatten(conditions: readonly ShapeCondition[], fieldOf: FieldResolver) {
  const tests: Classified[] = []
  const others: ShapeCondition[] = []
  for (const condition of conditions) {
    if ('field' in condition) tests.push(classifyTest(condition, fieldOf))
    else if (condition.operator === 'and') {
      const inner = flatten(condition.of, fieldOf)
      tests.push(...inner.tests)
      others.push(...inner.others)
    } else others.push(condition)
  }
  return { tests, others }
}

/** An index for each branch of an "or", all of which are needed; null when one can't have any. */
function branchesOf(condition: ShapeCondition, fieldOf: FieldResolver): Suggested[] | null {
  if ('field' in condition || condition.operator !== 'or') return null
  const tests = condition.of.map((one) => ('field' in one ? classifyTest(one, fieldOf) : null))
  const found = tests.map((test) => {
    if (!test?.ref) return null
    if (test.use === 'pattern' || test.use === 'json') return contentIndexes([test])[0] ?? null
    if (test.use !== 'equal' && test.use !== 'range') return null
    const part = partOf(test.ref, test.use === 'range' ? 'sort' : 'equal')
    return { request: request('btree', [part]), why: `Finds one side of the "or" by ${test.field}` }
  })
  const whole = found.filter((one) => one !== null)
  return whole.length === found.length ? whole : null
}

/** Of parts of texts, and of values inside JSON. */
const contentIndexes = (tests: readonly Classified[]): Suggested[] =>
  tests.flatMap(({ use, ref, field }) => {
    if (!ref) return []
    if (use === 'pattern')
      return [
        {
          request: request('trigram', [partOf(ref, 'equal')]),
          why: `Finds texts by parts of ${field}, from three letters on`,
        },
      ]
    if (use !== 'json') return []
    const what = ref.column === ref.name ? field : `${field} and whatever else lies beside it`
    return [{ request: request('json', [partOf(ref, 'equal')]), why: `Finds records by ${what}` }]
  })

/** One JSON index serves all names in its column. */
function once(indexes: Suggested[]): Suggested[] {
  const keyed = indexes.map((one): [string, Suggested] => {
    const { kind, parts } = one.request
    const columns = parts.map(({ column, path, use }) => [column, kind === 'json' ? [] : path, use])
    return [JSON.stringify([kind, columns]), one]
  })
  return [...new Map(keyed.reverse()).values()].reverse()
}

/** What no index of the entity helps, and what else would. */
function notesOn(
  { sort, deep }: SearchShape,
  tests: readonly Classified[],
  unserved: number,
): string[] {
  const of = (use: Classified['use']) =>
    tests.filter((test) => test.use === use).map(({ field, operator }) => `${field} ${operator}`)
  const none = of('none')
  const beyond = of('beyond')
  return [
    ...(none.length > 0 ? [`No index serves ${none.join(', ')}`] : []),
    ...(beyond.length > 0
      ? [`${beyond.join(', ')}: the field belongs to another entity, or is gone`]
      : []),
    ...(unserved > 0 ? ['No index serves "not", or an "or" with a side that has no index'] : []),
    ...(sort.some(({ direction }) => direction !== sort[0]?.direction)
      ? ['The sort has both directions, of which an index serves the first alone']
      : []),
    ...(deep ? ['A page far behind the first: continue with a cursor instead'] : []),
  ]
}

/** More compared fields narrow little and make the index large. */
const MAX_EQUAL = 3

/**
 * One B-tree: fields compared with one value first, then the sort, or else a range. Without compared
 * fields a sort alone helps only where no other index narrows the search.
 */
function orderedIndex(
  entity: Entity,
  { sort, groupBy }: SearchShape,
  tests: readonly Classified[],
  fieldOf: FieldResolver,
  distinct: ReadonlyMap<string, number>,
): { request: IndexRequest; why: string }[] {
  const equal = equalFields(tests, distinct)
  const range = tests.find(({ use }) => use === 'range')?.ref ?? null
  const narrowed = tests.some(({ use }) => use === 'pattern' || use === 'json')
  const order = groupBy || (narrowed && equal.length === 0) ? [] : sortParts(sort, fieldOf)
  const compared = new Set(equal.map(({ column }) => column))
  const rest = order.filter(({ column, path }) => path.length > 0 || !compared.has(column))
  const tail = rest.length > 0 ? rest : range ? [partOf(range, 'sort')] : []
  const parts = [...equal.map((ref) => partOf(ref, 'equal')), ...tail]
  if (parts.length === 0 || isKey(entity, parts)) return []
  const words = [
    ...(equal.length > 0 ? [`finds records by ${named(equal)}`] : []),
    ...(tail.length > 0
      ? [rest.length > 0 ? sorted(rest) : `reads a range of ${range?.name}`]
      : []),
  ].join(' and ')
  return [{ request: request('btree', parts), why: words.charAt(0).toUpperCase() + words.slice(1) }]
}

/** The most selective first, as far as that is known; a flag last. */
function equalFields(tests: readonly Classified[], distinct: ReadonlyMap<string, number>) {
  const found = tests.filter(({ use, ref }) => use === 'equal' && ref)
  const rank = ({ operator, ref }: Classified) =>
    ref && !hasOperators(ref.kind, 'order')
      ? 3
      : operator === 'in'
        ? 2
        : operator === 'isnull'
          ? 1
          : 0
  const count = ({ ref }: Classified) => distinct.get(ref?.column ?? '') ?? 0
  const ordered = [...found].sort((a, b) => rank(a) - rank(b) || count(b) - count(a))
  const refs = ordered.flatMap(({ ref }) => ref ?? [])
  const unique = new Map(refs.map((ref): [string, FieldRef] => [ref.column, ref]))
  return [...unique.values()].slice(0, MAX_EQUAL)
}

/** The fields from the first on that one index has in this order. */
function sortParts(sort: SearchShape['sort'], fieldOf: FieldResolver): AddedPart[] {
  const parts: AddedPart[] = []
  for (const [index, { field, direction }] of sort.entries()) {
    const ref = fieldOf(field)
    if ('fault' in ref || direction !== sort[0]?.direction) break
    // Descending, empty values are found apart, which works for the first field alone.
    if (index > 0 && (isJson(ref) || parts.some(({ path }) => path.length > 0))) break
    if (index > 0 && direction === 'desc' && ref.nullable) break
    if (isJson(ref) && !isSortable(ref)) break
    parts.push(partOf(ref, 'sort', isJson(ref) && direction === 'desc'))
    if (isJson(ref)) break
  }
  return parts
}

const isKey = ({ keys }: Entity, parts: readonly AddedPart[]) =>
  parts.every(({ column }, index) => column === keys[index])

const named = (fields: readonly FieldRef[]) => fields.map(({ name }) => name).join(', ')
const sorted = (parts: readonly AddedPart[]) =>
  `returns them in the order of ${parts.map(({ field }) => field).join(', ')}`
