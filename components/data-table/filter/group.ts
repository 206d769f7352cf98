import { type Condition, type GroupCondition, isGroup } from './condition'

/** A filter as the builder edits it. The top list is AND; a single OR at the top is shown as the top itself. */
export function toGroup(filter: readonly Condition[]): GroupCondition {
  const [only] = filter
  if (filter.length === 1 && only && isGroup(only) && only.operator === 'or') return only
  return { operator: 'and', filters: [...filter] }
}

/** The filter that was built. */
export function fromGroup(group: GroupCondition): Condition[] {
  const filters = group.filters.flatMap(withoutEmpty)
  return group.operator === 'and' || filters.length === 0 ? filters : [{ ...group, filters }]
}

/** Groups without conditions test nothing, and the server refuses them. */
function withoutEmpty(condition: Condition): Condition[] {
  if (!isGroup(condition)) return [condition]
  const filters = condition.filters.flatMap(withoutEmpty)
  return filters.length > 0 ? [{ ...condition, filters }] : []
}
