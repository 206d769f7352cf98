import type { ReactNode } from 'react'
import type { Loading } from '@/components/data-table/data-table'
import type { ListState } from '@/components/data-table/use-list-state'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import type { ColumnDescription, EntityRecord } from '../types'

/** What a form of showing records other than the table is given. */
export type DisplayProps = {
  entity: string
  columns: ColumnDescription[]
  list: ListState
  rows: readonly EntityRecord[]
  /** Of all records that match; null while it is not known. */
  total: number | null
  loading: Loading
  selection: RowSelection
  onOpen: (id: string) => void
  onEdit?: (id: string) => void
  /** Shown while there is nothing at all, filter or not. */
  empty: ReactNode
}
