'use client'
import { useMemo } from 'react'
import { useCan } from '@/components/shell/viewer'
import { useSearch } from '@/lib/query/search'
import { NAMES_SEARCH } from './searches'

/** The name of a plugin, or its id if the user may not read plugins. */
export function usePluginNames(): (id: string) => string {
  const enabled = useCan('plugins:read')
  const { data } = useSearch<{ id: string; name: string }>('EnginePlugins', NAMES_SEARCH, {
    enabled,
  })
  const names = useMemo(() => new Map(data?.data.map(({ id, name }) => [id, name])), [data])
  return (id) => names.get(id) ?? id
}
