import { isPattern } from '@/lib/definitions/operators'
import type { Resolved, ResolvedSearch } from './resolved'

/** From this page on, the skipped records cost time. */
export const DEEP_OFFSET = 10_000
const MANY_TESTS = 20

type Parts = Pick<ResolvedSearch, 'where'> &
  Partial<Pick<ResolvedSearch, 'joins' | 'sort' | 'count' | 'page' | 'size' | 'after' | 'group'>>

/** How to narrow a search that costs too much, the most expensive part first. */
export function howToNarrow(search: Parts): string {
  const { where, joins = [], sort = [], count, page = 0, size = 0, after, group } = search
  const tests = testsOf(where)
  const patterns = tests.filter(({ operator }) => isPattern(operator))
  const slowSort = sort.find(({ field }) => !field.indexed)
  const advice = [
    patterns.length > 0 && `use fewer conditions with patterns (${named(patterns)})`,
    tests.length - patterns.length >= MANY_TESTS && `use fewer of the ${tests.length} conditions`,
    joins.length > 0 && 'leave out fields of referred records',
    group && 'group by fewer fields',
    slowSort && `sort by a field with an index instead of "${slowSort.field.name}"`,
    !after && page * size >= DEEP_OFFSET && 'continue with a cursor instead of a page number',
    count === 'exact' && !group && 'ask for "count": "estimated" or "none"',
    'add a condition on a field with an index',
  ]
  return `To narrow it: ${advice
    .filter((part) => typeof part === 'string')
    .slice(0, 3)
    .join('; ')}`
}

const testsOf = (conditions: readonly Resolved[]): (Resolved & { type: 'test' })[] =>
  conditions.flatMap((condition) =>
    condition.type === 'test' ? [condition] : testsOf(condition.of),
  )

/** `400 times icontains on "name"`, of the most frequent test. */
function named(tests: (Resolved & { type: 'test' })[]): string {
  const counts = new Map<string, number>()
  for (const { operator, field } of tests) {
    const name = `${operator} on "${field.name}"`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  if (!most) return ''
  return most[1] > 1 ? `${most[1]} times ${most[0]}` : most[0]
}
