import { queryOptions } from '@tanstack/react-query'
import { type ListParams, readListText, toViewText } from '@/components/data-table/list-params'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import { viewsKey } from './entity-keys'

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
