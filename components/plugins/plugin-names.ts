import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { useCan } from '@/components/shell/viewer'
import { useSearch } from '@/lib/query/search'
import { NAMES_SEARCH } from './searches'

/** The name of a plugin; who may not read plugins knows those of the entities that they may read. */
export function usePluginNames(): (id: string) => string {
  const enabled = useCan('plugins:read')
  const { data } = useSearch<{ id: string; name: string }>('EnginePlugins', NAMES_SEARCH, {
    enabled,
  })
  const entities = useQuery({ ...entitiesOptions, enabled: !enabled })
  const names = useMemo(() => {
    const owners = entities.data?.data.map(({ pluginId, pluginName }) => [pluginId, pluginName])
    const known = data?.data.map(({ id, name }) => [id, name]) ?? owners ?? []
    return new Map(known as [string, string | null][])
  }, [data, entities.data])
  return (id) => names.get(id) ?? id
}
