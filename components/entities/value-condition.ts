import type { FieldCondition } from '@/components/data-table/filter/condition'
import type { ExactJson } from '@/lib/values/exact-json'
import type { ColumnDescription } from './types'

/** The condition that a field has (or has not) a value it was seen with. */
export function conditionFor(
  { name }: Pick<ColumnDescription, 'name'>,
  value: ExactJson,
  same: boolean,
): FieldCondition {
  if (value === null) return { field: name, operator: same ? 'isnull' : 'notnull' }
  return { field: name, operator: same ? 'eq' : 'ne', value }
}
