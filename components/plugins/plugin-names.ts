'use client'
import { useMemo } from 'react'
import { useCan } from '@/components/shell/viewer'
import { useSearch } from '@/lib/query/search'
import { NAMES_SEARCH } from './searches'

/** Calls a plugin by its name; by its id when the person may not know more. */
export function usePluginNames(): (id: string) => string {
  const enabled = useCan('plugins:read')
  const { data } = useSearch<{ id: string; name: string }>('EnginePlugins', NAMES_SEARCH, {
    enabled,
  })
  const names = useMemo(() => new Map(data?.data.map(({ id, name }) => [id, name])), [data])
  return (id) => names.get(id) ?? id
}
