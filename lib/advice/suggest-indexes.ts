import type { Entity } from '@/lib/definitions/definition'
import type { SearchShape, ShapeCondition } from '@/lib/definitions/search-shape'
import { targetOf } from '@/lib/registry/target'
import { type FieldResolver, fieldResolver } from '@/lib/search/resolve-field'
import { type IndexRequest, partOf, request } from './index-request'
import { type Classified, classifyTest } from './suggest/classify-test'
import { notesOn } from './suggest/notes-on'
import { orderedIndex } from './suggest/ordered-index'

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
