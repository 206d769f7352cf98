import { queryOptions } from '@tanstack/react-query'
import { refreshRecords } from '@/components/trash/trash-queries'
import { api } from '@/lib/http/client'
import type { Drift, ResolveDrift } from '@/lib/lifecycle/contract'
import { getQueryClient } from '@/lib/query/client'
import { itemOptions } from '@/lib/query/item-options'
import type { JsonObject } from '@/lib/values/json'
import { type FileLog, type History, installKey, type PluginRow, pluginKey } from './searches'

export type InstalledPlugin = PluginRow & { manifest: JsonObject; entities: string[] }

/** One plugin with the names of its entities. */
export const pluginOptions = (id: string) =>
  itemOptions<InstalledPlugin>(pluginKey(id), `/api/plugins/${encodeURIComponent(id)}`)

const LOG_PAGE = 1000

/** One install. */
export const installOptions = (id: number) =>
  itemOptions<History>(installKey(id), `/api/plugins/history/${id}`)

/** Every file of an install in the order of processing; an archive holds 10,000 at most. */
export const logsOptions = (id: number) =>
  queryOptions({
    queryKey: [...installKey(id), 'logs'],
    queryFn: ({ signal }) => allLogs(id, signal),
  })

async function allLogs(id: number, signal: AbortSignal): Promise<FileLog[]> {
  const files: FileLog[] = []
  for (let page = 0; ; page += 1) {
    const query = { page, size: LOG_PAGE }
    const response = await api<FileLog>(`/api/plugins/history/${id}/logs`, { query, signal })
    files.push(...response.data)
    if (response.pagination?.last ?? true) return files
  }
}

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
