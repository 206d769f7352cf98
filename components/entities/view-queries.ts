import { queryOptions } from '@tanstack/react-query'
import { readListText } from '@/components/data-table/list-params'
import type { ListState } from '@/components/data-table/use-list-state'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'

export const viewsOptions = (entity: string) =>
  queryOptions({
    queryKey: ['views', entity],
    queryFn: ({ signal }) => api<SavedView>('/api/views', { query: { entity }, signal }),
    staleTime: 60_000,
  })

export function applyView(list: ListState, { params }: SavedView): void {
  list.replace(readListText(params))
}
