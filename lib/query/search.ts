'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '@/lib/http/client'

/** The search object of interface.md §6, as far as the console writes it. */
export type Search = {
  fields?: string[]
  query?: unknown[]
  sort?: { field: string; direction: 'asc' | 'desc' }[]
  pagination?: { page: number; size: number }
  count?: 'exact' | 'estimated' | 'none'
}

/** How a search of an entity is fetched and under which key it is kept. */
export const searchOptions = <T>(entity: string, search: Search) =>
  queryOptions({
    queryKey: ['search', entity, search] as const,
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
