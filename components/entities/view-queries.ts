import { queryOptions } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { type ListParams, readListText, toViewText } from '@/components/data-table/list-params'
import type { ListState } from '@/components/data-table/use-list-state'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import { viewsKey } from './entity-queries'
import type { ColumnDescription } from './types'

export const viewsOptions = (entity: string) =>
  queryOptions({
    queryKey: viewsKey(entity),
    queryFn: ({ signal }) => api<SavedView>('/api/views', { query: { entity }, signal }),
    staleTime: 60_000,
  })

/** What a list shows when the view is chosen. */
export const paramsOf = ({ id, params }: Pick<SavedView, 'id' | 'params'>) => ({
  ...readListText(params),
  savedView: id,
})

/** Whether the list shows something else than the view that was chosen for it. */
export const isChanged = (list: ListParams, view: SavedView): boolean =>
  toViewText(list) !== toViewText({ page: 1, ...paramsOf(view) })

/** What the browser shows, as its parts need it. */
export type View = {
  entity: string
  columns: ColumnDescription[]
  /** The chosen columns of other entities. */
  related: ColumnDescription[]
  list: ListState
  /** Conditions of the filter and the search together. */
  query: Condition[]
  /** Null while it is not known. */
  total: number | null
}
