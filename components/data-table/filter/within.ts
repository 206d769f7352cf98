import { type Condition, isField, isGroup } from './condition'

/** A path with `/` between its parts, and all paths below it. */
export const within = (field: string, path: string): Condition => ({
  operator: 'or',
  filters: [
    { field, operator: 'eq', value: path },
    { field, operator: 'starts', value: `${path}/` },
  ],
})

/** What a condition made by `within` says; null for any other one. */
export function withinOf(condition: Condition): { field: string; path: string } | null {
  if (!isGroup(condition) || condition.operator !== 'or') return null
  const [same, below, ...more] = condition.filters
  if (!same || !below || !isField(same) || !isField(below) || more.length > 0) return null
  const { field, value: path } = same
  const isWithin =
    same.operator === 'eq' &&
    below.operator === 'starts' &&
    below.field === field &&
    typeof path === 'string' &&
    below.value === `${path}/`
  return isWithin ? { field, path } : null
}
