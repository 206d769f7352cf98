import { dehydrate, HydrationBoundary, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { POST as search } from '@/app/api/entities/[entityName]/search/route'
import { loadListParams } from '@/components/data-table/list-params'
import type { ListQuery } from '@/components/lists/list-query'
import { ask } from '@/lib/http/ask'
import type { Handler } from '@/lib/http/route'
import { makeQueryClient } from '@/lib/query/client'
import { type Search, searchKey } from '@/lib/query/search-key'

type Prefetched = { key: QueryKey; response: unknown } | null

/** A response to send with the page, cached under `key`; null when the request is refused. */
export async function prefetch(
  key: QueryKey,
  handler: Handler,
  question: Parameters<typeof ask>[1],
): Promise<Prefetched> {
  const response = await ask(handler, question)
  return response && { key, response }
}

/** Like `prefetch`, for a query that caches the only object of the response. */
export async function prefetchOne(...asked: Parameters<typeof prefetch>): Promise<Prefetched> {
  const found = await prefetch(...asked)
  const [only] = (found?.response as { data: unknown[] } | undefined)?.data ?? []
  return found && only !== undefined ? { key: found.key, response: only } : null
}

export const prefetchSearch = (entity: string, body: Search): Promise<Prefetched> =>
  prefetch(searchKey(entity, body), search, {
    path: `/api/entities/${encodeURIComponent(entity)}/search`,
    params: { entityName: entity },
    body,
  })

/** The rows that a list shows first. */
export const prefetchList = async (
  query: ListQuery,
  searchParams: Parameters<typeof loadListParams>[0],
): Promise<Prefetched> =>
  prefetchSearch(query.entity, query.search(await loadListParams(searchParams)))

/** Hands what was fetched to the queries of `children`. */
export function Prefetched({ of, children }: { of: readonly Prefetched[]; children: ReactNode }) {
  const client = makeQueryClient()
  for (const each of of) if (each) client.setQueryData(each.key, each.response)
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
