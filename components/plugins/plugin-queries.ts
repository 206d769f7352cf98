import { queryOptions } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/http/client'
import type { JsonObject } from '@/lib/values/json'
import { pluginKey } from './searches'
import type { PluginRow } from './types'

export type InstalledPlugin = PluginRow & { manifest: JsonObject; entities: string[] }

/** One plugin with the names of its entities. */
export const pluginOptions = (id: string) =>
  queryOptions({
    queryKey: pluginKey(id),
    queryFn: async ({ signal }) => {
      const { data } = await api<InstalledPlugin>(`/api/plugins/${encodeURIComponent(id)}`, {
        signal,
      })
      if (!data[0]) throw new ApiError(404, `The plugin "${id}" is not installed`)
      return data[0]
    },
  })
