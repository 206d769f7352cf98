import type { Json } from '@/lib/values/json'

/** A search as it was asked for: the one form that body and URL both become. Nothing is checked yet. */
export type SearchInput = {
  fields?: string[]
  /** Paths of references whose records are wanted in place of their keys. */
  expand?: string[]
  /** All must hold. */
  conditions: ConditionInput[]
  /** What the caller called `conditions`, to name places in errors. */
  conditionsName: 'query' | 'filters' | 'filter'
  sort: SortInput[]
  page: number
  size: number
  count: CountMode
  /** Goes on after a record instead of at a page, which is 0 then. */
  cursor?: CursorInput
  groupBy?: GroupInput
}

/** `name`: what the caller called it, to name it in errors. */
export type CursorInput = { cursor: string; name: string }

/** `{ field, operator, value }` or `{ operator: "and"|"or"|"not", filters }`, or anything wrong. */
export type ConditionInput = Json

export type SortInput = { field: string; direction: 'asc' | 'desc' }

/** `estimated`: the planner's guess where an exact count would be slow; `none`: no totals. */
export type CountMode = 'exact' | 'estimated' | 'none'

export type AggregateFunction = 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX'
export type GroupInput = {
  fields: string[]
  aggregate: { function: AggregateFunction; field?: string; alias?: string }[]
}

export const DEFAULT_SIZE = 10
export const MAX_SIZE = 1000
