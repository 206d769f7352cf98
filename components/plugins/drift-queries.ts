import { queryOptions } from '@tanstack/react-query'
import { refreshRecords } from '@/components/trash/trash-queries'
import { api } from '@/lib/http/client'
import type { Drift, ResolveDrift } from '@/lib/plugins/drift-contract'
import { getQueryClient } from '@/lib/query/client'

export const DRIFT_SIZE = 50

const key = (id: string) => ['plugin-drift', id]
const pathOf = (id: string) => `/api/plugins/${encodeURIComponent(id)}/drift`

/** A page of the records that differ from what the plugin gave, and their number. */
export const driftOptions = (id: string, page: number, size = DRIFT_SIZE) =>
  queryOptions({
    queryKey: [...key(id), page, size],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api<Drift>(pathOf(id), { query: { page, size }, signal })
      return { records: data, total: pagination?.total ?? data.length }
    },
  })

/** Ends the differences of records, one entity at a time. */
export async function resolveDrift(
  id: string,
  records: readonly Drift[],
  action: ResolveDrift['action'],
): Promise<void> {
  const entities = new Map<string, Drift[]>()
  for (const one of records) entities.set(one.entity, [...(entities.get(one.entity) ?? []), one])
  for (const [entity, found] of entities)
    await api(`${pathOf(id)}/resolve`, {
      method: 'POST',
      body: { entity, keys: found.map((one) => one.key), action },
    })
  await getQueryClient().invalidateQueries({ queryKey: key(id) })
  await refreshRecords()
}
