import type { Json } from '@/lib/values/json'

/** A search as requested: the common form of body and URL. Nothing is checked yet. */
export type SearchInput = {
  fields?: string[]
  /** Paths of references to return as records in place of their keys, and of records that refer to these. */
  expand?: (string | ExpandInput)[]
  /** All must hold. */
  conditions: ConditionInput[]
  /** What people type: the text search of the entity must match as well. */
  q?: string
  /** Words of `q` that no record has are replaced where nothing is found. */
  corrections?: boolean
  /** The caller's name of `conditions`, to name positions in errors. */
  conditionsName: 'query' | 'filters' | 'filter' | 'where' | `entities.${number}.query`
  sort: SortInput[]
  page: number
  size: number
  count: CountMode
  /** Continues after a record instead of at a page, which is 0 then. */
  cursor?: CursorInput
  groupBy?: GroupInput
}

/** Records that refer to one: those that meet conditions, the first of an order. */
export type ExpandInput = {
  relation: string
  fields: string[]
  query: ConditionInput[]
  sort: SortInput[]
  limit: number
}

/** How many of them are returned where nothing is said, and at most. */
export const DEFAULT_LIMIT = 10
export const MAX_LIMIT = 1000

/** `name`: the caller's name of it, for errors. */
export type CursorInput = { cursor: string; name: string }

/** `{ field, operator, value }` or `{ operator: "and"|"or"|"not", filters }`, or anything invalid. */
export type ConditionInput = Json

export type SortInput = { field: string; direction: 'asc' | 'desc' }

/** `estimated`: the planner's estimate where an exact count would be slow; `none`: no totals. */
export type CountMode = 'exact' | 'estimated' | 'none'

export type AggregateFunction = 'COUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX'
export type GroupInput = {
  fields: string[]
  aggregate: { function: AggregateFunction; field?: string; alias?: string }[]
}

export const DEFAULT_SIZE = 10
export const MAX_SIZE = 1000
