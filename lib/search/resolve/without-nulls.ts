import type { OperatorName } from '@/lib/definitions/operators'
import type { FieldRef, Resolved, ResolvedSort } from '@/lib/search/resolved'

/** These hold for null as well. */
const HOLD_FOR_NULL: ReadonlySet<OperatorName> = new Set(['isnull', 'ne', 'nin'])

/** A sort whose field can't be null where the conditions hold needs no place for nulls. */
export function withoutNulls(sort: ResolvedSort, where: Resolved[]): ResolvedSort {
  const { field } = sort
  if (!field.nullable || !where.some((condition) => excludesNull(condition, field))) return sort
  return { ...sort, field: { ...field, nullable: false } }
}

/** Of the conditions that must all hold; those inside `or` and `not` are not looked at. */
function excludesNull(condition: Resolved, field: FieldRef): boolean {
  if (condition.type === 'and') return condition.of.some((inner) => excludesNull(inner, field))
  if (condition.type !== 'test' || condition.orNull) return false
  const isSame = condition.field.column === field.column && condition.field.path.length === 0
  return isSame && field.path.length === 0 && !HOLD_FOR_NULL.has(condition.operator)
}
