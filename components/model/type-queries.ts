import { queryOptions } from '@tanstack/react-query'
import { api } from '@/lib/http/client'
import type { PluginDefinition } from '@/lib/lifecycle/model-contract'

/** A type as a file of a plugin has it. */
export type WrittenType = Omit<PluginDefinition, 'definition'> & {
  definition: { name: string; baseType: string; meta?: Record<string, unknown> }
}

/** The types that plugins define. */
export const typesOptions = queryOptions({
  queryKey: ['plugin', 'types'],
  queryFn: async ({ signal }) => {
    const query = { kind: 'type' }
    return (await api<WrittenType>('/api/model/definitions', { query, signal })).data
  },
})
