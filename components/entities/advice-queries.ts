import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { AddedIndexView, Advice, AdviceMeta, IndexSuggestion } from '@/lib/advice/contract'
import { api } from '@/lib/http/client'
import { adviceKey, entityPath } from './entity-queries'

/** While an index is built, its progress is shown. */
const WATCH_MS = 1_000

/** The slow searches of an entity, what would help them, and its added indexes. */
export const adviceOptions = (entity: string) =>
  queryOptions({
    queryKey: adviceKey(entity),
    queryFn: ({ signal }) => api<Advice>(entityPath(entity, '/advice'), { signal }),
    refetchInterval: ({ state }) =>
      indexesOf(state.data?.meta).some((index) => index.state === 'building') ? WATCH_MS : false,
  })

const indexesOf = (meta: Record<string, unknown> | undefined): AddedIndexView[] =>
  (meta as AdviceMeta | undefined)?.indexes ?? []

export const createIndex = (entity: string, body: IndexSuggestion['create']) =>
  api<AddedIndexView>(entityPath(entity, '/indexes'), { method: 'POST', body })

export const dropIndex = (entity: string, name: string) =>
  api<AddedIndexView>(entityPath(entity, `/indexes/${encodeURIComponent(name)}`), {
    method: 'DELETE',
  })

export const refreshAdvice = (client: QueryClient, entity: string) =>
  client.invalidateQueries({ queryKey: adviceKey(entity) })
