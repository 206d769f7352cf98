import { queryOptions } from '@tanstack/react-query'
import { loadListParams, serializeListParams } from '@/components/data-table/list-params'
import type { ListState } from '@/components/data-table/use-list-state'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'

export const viewsOptions = (entity: string) =>
  queryOptions({
    queryKey: ['views', entity],
    queryFn: ({ signal }) => api<SavedView>('/api/views', { query: { entity }, signal }),
    staleTime: 60_000,
  })

/** What a view stores of a list: everything but the page. */
export const paramsOf = ({ size, sort, filter, cols, q }: ListState): string =>
  serializeListParams({ size, sort, filter, cols, q }).replace(/^\?/, '')

export function applyView(list: ListState, { params }: SavedView): void {
  list.replace(loadListParams(new URLSearchParams(params)))
}
