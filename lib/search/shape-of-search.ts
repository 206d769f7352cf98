import type { SearchShape, ShapeCondition } from '@/lib/definitions/search-shape'
import { DEEP_OFFSET } from './narrowing'
import type { Resolved, ResolvedSearch } from './resolved'

type Parts = Pick<ResolvedSearch, 'where'> &
  Partial<Pick<ResolvedSearch, 'sort' | 'count' | 'page' | 'size' | 'after' | 'group'>>

/** The shape of a search; a search without `count` only counts. Its JSON text identifies it. */
export function shapeOf({ where, sort = [], group, count, ...paging }: Parts): SearchShape {
  const { page = 0, size = 0, after } = paging
  const fields = group?.columns.flatMap(({ field }) => (field ? [field.name] : []))
  return {
    where: shapesOf(where),
    sort: sort.map(({ field, direction }) => ({ field: field.name, direction })),
    ...(fields ? { groupBy: [...new Set(fields)] } : {}),
    count: count ?? 'exact',
    ...(!after && page * size >= DEEP_OFFSET ? { deep: true } : {}),
  }
}

/** Each once, in the order of their texts. */
function shapesOf(conditions: readonly Resolved[]): ShapeCondition[] {
  const shapes = conditions.map((condition): [string, ShapeCondition] => {
    const shape = shapeOfCondition(condition)
    return [JSON.stringify(shape), shape]
  })
  const sorted = [...new Map(shapes)].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, shape]) => shape)
}

function shapeOfCondition(condition: Resolved): ShapeCondition {
  return condition.type === 'test'
    ? { field: condition.field.name, operator: condition.operator }
    : { operator: condition.type, of: shapesOf(condition.of) }
}
