'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '@/lib/http/client'
import { type Search, searchKey } from './search-key'

export type { Search }

/** How a search of an entity is fetched and under which key it is kept. */
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

/** A page of records. While the next one comes the last one stays, unless it is another entity's. */
export const useSearch = <T>(entity: string, search: Search, options: { enabled?: boolean } = {}) =>
  useQuery({
    ...searchOptions<T>(entity, search),
    ...options,
    placeholderData: (before, query) => (query?.queryKey[1] === entity ? before : undefined),
  })
