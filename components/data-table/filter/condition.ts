import { parseExactJson } from '@/lib/values/exact-json'

/** A condition of the search object, as it goes over the wire. */
export type FieldCondition = { field: string; operator: string; value?: unknown }
export type GroupCondition = { operator: 'and' | 'or' | 'not'; filters: Condition[] }
export type Condition = FieldCondition | GroupCondition

export const isGroup = (condition: Condition): condition is GroupCondition => 'filters' in condition

/** `text` is not a filter: the server will say so, which is better than showing everything. */
const broken = (text: string): Condition[] => [{ field: '', operator: 'unreadable', value: text }]

/** The filter of a page's address. */
export function parseFilter(text: string): Condition[] {
  try {
    const value: unknown = parseExactJson(text)
    return Array.isArray(value) ? value : broken(text)
  } catch {
    return broken(text)
  }
}

/** How many fields a filter tests. */
export const countConditions = (filter: readonly Condition[]): number =>
  filter.reduce((sum, each) => sum + (isGroup(each) ? countConditions(each.filters) : 1), 0)
