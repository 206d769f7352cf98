import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '@/lib/http/client'
import type { AvailablePlugin, IndexMeta } from '@/lib/plugin-index/contract'
import { getQueryClient } from '@/lib/query/client'

export type { AvailablePlugin }
export type AvailableVersion = AvailablePlugin['versions'][number]

const PATH = '/api/plugins/index'
const INDEX_KEY = ['plugin-index'] as const
export const AVAILABLE_SIZE = 25

/** A page of the plugins of the index; while the next one loads, the last one stays. */
export const availableOptions = (q: string, page: number) =>
  queryOptions({
    queryKey: [...INDEX_KEY, q, page],
    queryFn: ({ signal }) => load({ q, page, size: AVAILABLE_SIZE }, signal),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Installed plugins of which there is a newer version, by their ids. */
export const updatesOptions = queryOptions({
  queryKey: [...INDEX_KEY, 'updates'],
  queryFn: async ({ signal }) => {
    const { plugins } = await load({ updates: true, size: 500 }, signal)
    return new Map(plugins.map((plugin) => [plugin.id, plugin]))
  },
  retry: false,
})

async function load(query: Record<string, string | number | boolean>, signal?: AbortSignal) {
  const { data, meta, pagination } = await api<AvailablePlugin>(PATH, { query, signal })
  const { name, loadedAt, failure } = meta as IndexMeta
  return { plugins: data, total: pagination?.total ?? data.length, name, loadedAt, failure }
}

/** Has the server load the index now; whatever comes of it, the lists are read again. */
export async function refreshIndex(): Promise<void> {
  await load({ refresh: true, size: 1 }).catch(() => {}) // the lists say why
  await getQueryClient().invalidateQueries({ queryKey: INDEX_KEY })
}
