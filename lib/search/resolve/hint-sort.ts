import type { OperatorName } from '@/lib/definitions/operators'
import type { SearchTarget } from '@/lib/registry/target'
import type { Resolved, ResolvedSort } from '@/lib/search/resolved'

/** These hold for null as well. */
const HOLD_FOR_NULL: ReadonlySet<OperatorName> = new Set(['isnull', 'ne', 'nin'])

/**
 * The sort with what the conditions say about its field: it is not null where they hold, or comes in order
 * from an index whose earlier fields each have one value.
 */
export function hintSort(
  { indexes = [] }: SearchTarget,
  sort: ResolvedSort,
  where: Resolved[],
): ResolvedSort {
  const { field } = sort
  if (field.path.length > 0 || field.isJoined) return sort
  const tests = where.flatMap(testsOf)
  const isFilled = tests.some((test) => isOn(test, field.column) && excludesNull(test))
  const isServed = indexes.some((columns) => {
    const at = columns.indexOf(field.column)
    return at > 0 && columns.slice(0, at).every((column) => hasOneValue(tests, column))
  })
  if (!isFilled && !isServed) return sort
  const hints = {
    nullable: field.nullable && !isFilled,
    indexed: field.indexed || isServed,
  }
  return { ...sort, field: { ...field, ...hints } }
}

type Test = Resolved & { type: 'test' }

/** The tests that must all hold; those inside `or` and `not` are not looked at. */
function testsOf(condition: Resolved): Test[] {
  if (condition.type === 'and') return condition.of.flatMap(testsOf)
  return condition.type === 'test' ? [condition] : []
}

const isOn = ({ field }: Test, column: string) =>
  field.column === column && field.path.length === 0 && !field.isJoined

const excludesNull = ({ operator, orNull }: Test) => !orNull && !HOLD_FOR_NULL.has(operator)

const hasOneValue = (tests: Test[], column: string) =>
  tests.some((test) => isOn(test, column) && test.operator === 'eq')
