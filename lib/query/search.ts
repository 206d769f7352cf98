import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '@/lib/http/client'
import { type Search, searchKey } from './search-key'

export type { Search }

/** Query options of a search: its key and how it is fetched. */
const searchOptions = <T>(entity: string, search: Search) =>
  queryOptions({
    queryKey: searchKey(entity, search),
    queryFn: ({ signal }) =>
      api<T>(`/api/entities/${encodeURIComponent(entity)}/search`, {
        method: 'POST',
        body: search,
        signal,
      }),
  })

/** A page of records. While the next page loads, the last one of the same entity stays. */
export const useSearch = <T>(entity: string, search: Search, options: { enabled?: boolean } = {}) =>
  useQuery({
    ...searchOptions<T>(entity, search),
    ...options,
    placeholderData: (before, query) => (query?.queryKey[1] === entity ? before : undefined),
  })
