import type { Condition } from '@/components/data-table/filter/condition'
import type { ListState } from '@/components/data-table/use-list-state'
import type { ColumnDescription } from './types'

/** What the browser shows, as its parts need it. */
export type View = {
  entity: string
  columns: ColumnDescription[]
  list: ListState
  /** Conditions of the filter and the search together. */
  query: Condition[]
  /** Null while it is not known. */
  total: number | null
}
