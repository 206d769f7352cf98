import type { OperatorName } from '@/lib/definitions/operators'
import type { SearchTarget } from '@/lib/registry/target'
import type { Resolved, ResolvedSort } from './resolved'

/** What conditions say of a sorted field: it is not null where they hold, or comes in order from an index whose earlier fields each have one value. */
type Hint = '' | 'filled' | 'served' | 'filled served'

/** More combinations of hints are made for their requests. */
const MAX_LISTS = 20

// The sorts of a kept shape are one object, and so are those with the same hints.
const known = new WeakMap<ResolvedSort[], Map<string, ResolvedSort[]>>()

/** The sorts with what the conditions say about their fields; the same list where that is nothing. */
export function hintSorts(
  { indexes = [] }: SearchTarget,
  sorts: ResolvedSort[],
  where: readonly Resolved[],
): ResolvedSort[] {
  const tests = where.flatMap(testsOf)
  const hints = sorts.map(({ field }) => hintOf(indexes, field, tests))
  if (hints.every((hint) => hint === '')) return sorts
  const lists = known.get(sorts) ?? new Map<string, ResolvedSort[]>()
  known.set(sorts, lists)
  const key = hints.join()
  const hinted = lists.get(key) ?? sorts.map((sort, at) => withHint(sort, hints[at] ?? ''))
  if (lists.size < MAX_LISTS) lists.set(key, hinted)
  return hinted
}

function hintOf(indexes: string[][], field: ResolvedSort['field'], tests: Test[]): Hint {
  if (field.path.length > 0 || field.isJoined || field.mask) return ''
  const isFilled = tests.some((test) => isOn(test, field.column) && excludesNull(test))
  const isServed = indexes.some((columns) => {
    const at = columns.indexOf(field.column)
    return at > 0 && columns.slice(0, at).every((column) => hasOneValue(tests, column))
  })
  if (isFilled) return isServed ? 'filled served' : 'filled'
  return isServed ? 'served' : ''
}

function withHint(sort: ResolvedSort, hint: Hint): ResolvedSort {
  if (hint === '') return sort
  const { field } = sort
  const nullable = field.nullable && hint === 'served'
  const indexed = field.indexed || hint !== 'filled'
  return { ...sort, field: { ...field, nullable, indexed } }
}

/** These hold for null as well. */
const HOLD_FOR_NULL: ReadonlySet<OperatorName> = new Set(['isnull', 'ne', 'nin'])

type Test = Resolved & { type: 'test' }

/** The tests that must all hold; those inside `or` and `not` are not looked at. */
function testsOf(condition: Resolved): Test[] {
  if (condition.type === 'and') return condition.of.flatMap(testsOf)
  return condition.type === 'test' ? [condition] : []
}

const isOn = ({ field }: Test, column: string) =>
  field.column === column && field.path.length === 0 && !field.isJoined && !field.mask

const excludesNull = ({ operator, orNull }: Test) => !orNull && !HOLD_FOR_NULL.has(operator)

const hasOneValue = (tests: Test[], column: string) =>
  tests.some((test) => isOn(test, column) && test.operator === 'eq')
