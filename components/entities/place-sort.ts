import { type Condition, isField, isGroup } from '@/components/data-table/filter/condition'
import type { ListParams, SortKey } from '@/components/data-table/list-params'
import { isPlaceKind } from '@/lib/kinds/kind'
import type { ColumnDescription } from './types'

type Column = Pick<ColumnDescription, 'name' | 'kind'>

/** Locations have no order but by their distance from the place that the filter asks for. */
export const isSortable = ({ name, kind }: Column, filter: readonly Condition[]): boolean =>
  !isPlaceKind(kind) || filter.some((one) => isNear(one, name))

function isNear(condition: Condition, name: string): boolean {
  if (isGroup(condition))
    return condition.operator === 'and' && condition.filters.some((one) => isNear(one, name))
  return isField(condition) && condition.field === name && condition.operator === 'near'
}

/** The sort of a list as servers take it: locations by their distance, or not at all. */
export function sortOf(
  columns: readonly Column[],
  { sort, filter }: Pick<ListParams, 'sort' | 'filter'>,
): SortKey[] {
  const places = new Map(
    columns.filter(({ kind }) => isPlaceKind(kind)).map((column) => [column.name, column]),
  )
  return sort.flatMap(({ field, direction }) => {
    const place = places.get(field)
    if (!place) return [{ field, direction }]
    return isSortable(place, filter) ? [{ field: `${field}.$distance`, direction }] : []
  })
}
