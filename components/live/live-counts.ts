import type { Condition } from '@/components/data-table/filter/condition'
import { ENTITIES_KEY, entityPath } from '@/components/entities/entity-queries'
import { queryOfIds } from '@/components/entities/record-key'
import type { ColumnDescription, EntityRecord } from '@/components/entities/types'
import { type ApiResponse, api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { type Search, searchKey } from '@/lib/query/search-key'

/** Brings the numbers of records up to date: those of the sidebar, and that of a list whose rows stay as they are. */
export async function refreshTotals(
  entity: string,
  search: Search,
  query: readonly Condition[],
): Promise<void> {
  const client = getQueryClient()
  void client.invalidateQueries({ queryKey: ENTITIES_KEY })
  void client.invalidateQueries({ queryKey: ['count', entity] })
  const key = searchKey(entity, search)
  const shown = client.getQueryData<ApiResponse<EntityRecord>>(key)
  if (!shown?.pagination || shown.meta.count === 'estimated') return
  const total = await countMatching(entity, query)
  if (total === null) return
  client.setQueryData<ApiResponse<EntityRecord>>(key, (now) =>
    now?.pagination ? { ...now, pagination: { ...now.pagination, total } } : now,
  )
}

type Listed = { entity: string; columns: readonly ColumnDescription[]; query: readonly Condition[] }

const MAX_COUNTED = 200

/** How many of these records meet the conditions; of many, the first ones are counted. */
export async function countNew(
  { entity, columns, query }: Listed,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const keys = columns.filter(({ key }) => key).map(({ name }) => name)
  const some = queryOfIds(keys, ids.slice(0, MAX_COUNTED))
  return (await countMatching(entity, [...query, ...some])) ?? 0
}

/** Null where it can't be counted now. */
async function countMatching(entity: string, query: readonly Condition[]): Promise<number | null> {
  const path = entityPath(entity, '/count')
  const counted = api<{ count: number }>(path, { method: 'POST', body: { query } })
  return counted.then(
    ({ data }) => data[0]?.count ?? null,
    () => null,
  )
}
