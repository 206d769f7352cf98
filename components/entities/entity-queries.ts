import { queryOptions } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import type { ColumnDescription } from './types'

/** Query keys of responses, on the server and in the browser. */
export const columnsKey = (entity: string) => ['entity', entity, 'columns'] as const
export const adviceKey = (entity: string) => ['entity', entity, 'advice'] as const
export const ENTITIES_KEY = ['entities'] as const
export const viewsKey = (entity: string) => ['views', entity] as const

export const entityPath = (entity: string, rest = '') =>
  `/api/entities/${encodeURIComponent(entity)}${rest}`

/** The fields of an entity. */
export const columnsOptions = (entity: string) =>
  queryOptions({
    queryKey: columnsKey(entity),
    queryFn: ({ signal }) => api<ColumnDescription>(entityPath(entity, '/columns'), { signal }),
    staleTime: 60_000,
  })

/** The entities that the user can read, with their numbers of records. */
export const entitiesOptions = queryOptions({
  queryKey: ENTITIES_KEY,
  queryFn: ({ signal }) => api<EntitySummary>('/api/entities?counts=true', { signal }),
})

/** How many records match, counted exactly. Slow on a large table, so asked for apart from the page. */
export const countOptions = (entity: string, query: readonly Condition[]) =>
  queryOptions({
    queryKey: ['count', entity, query],
    queryFn: async ({ signal }) => {
      const { data } = await api<{ count: number }>(entityPath(entity, '/count'), {
        method: 'POST',
        body: { query },
        signal,
      })
      return data[0]?.count ?? 0
    },
  })

/** Asks again for what came with the page: the records, and the fields of the entity. */
export async function refreshPage(entity: string): Promise<void> {
  const client = getQueryClient()
  await Promise.all([
    client.invalidateQueries({ queryKey: ['search', entity] }),
    client.invalidateQueries({ queryKey: columnsKey(entity) }),
  ])
}

/** Brings everything up to date that shows records of the entity. */
export async function refreshEntity(entity: string): Promise<void> {
  const client = getQueryClient()
  await client.invalidateQueries({ queryKey: ['search', entity] })
  await client.invalidateQueries({ queryKey: ['count', entity] })
  void client.invalidateQueries({ queryKey: ENTITIES_KEY })
}
