import { type Condition, type GroupCondition, innerOf, isGroup } from './condition'

/** A filter as the builder edits it. The top list is AND; a single OR at the top is shown as the top itself. */
export function toGroup(filter: readonly Condition[]): GroupCondition {
  const [only] = filter
  if (filter.length === 1 && only && isGroup(only) && only.operator === 'or') return only
  return { operator: 'and', filters: [...filter] }
}

/** The other way round. */
export const toFilters = (group: GroupCondition): Condition[] =>
  group.operator === 'and' || group.filters.length === 0 ? group.filters : [group]

/** The filter that was built. */
export const fromGroup = (group: GroupCondition): Condition[] =>
  toFilters({ ...group, filters: group.filters.flatMap(withoutEmpty) })

/** Groups without conditions test nothing, and the server refuses them. */
function withoutEmpty(condition: Condition): Condition[] {
  if (!('filters' in condition)) return [condition]
  const filters = innerOf(condition).flatMap(withoutEmpty)
  if (filters.length > 0) return [{ ...condition, filters }]
  if (isGroup(condition)) return []
  const { filters: _none, ...about } = condition
  return [about]
}
