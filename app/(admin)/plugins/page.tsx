import { Prefetched, prefetchSearch } from '@/app/(admin)/prefetch'
import { PluginsView } from '@/components/plugins/plugins-view'
import {
  ENTITIES_BY_PLUGIN_SEARCH,
  PARTIAL_SEARCH,
  PLUGINS_SEARCH,
  RUNNING_SEARCH,
} from '@/components/plugins/searches'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Plugins' }

export default async function PluginsPage() {
  const { deps } = await pageContext('plugins:read')
  const { MAX_ZIP_BYTES, PLUGIN_INDEX_URL } = deps.settings
  const fetched = await Promise.all([
    prefetchSearch('EnginePlugins', PLUGINS_SEARCH),
    prefetchSearch('EngineEntities', ENTITIES_BY_PLUGIN_SEARCH),
    prefetchSearch('EnginePluginHistory', RUNNING_SEARCH),
    prefetchSearch('EnginePluginHistory', PARTIAL_SEARCH),
  ])
  return (
    <Prefetched of={fetched}>
      <PluginsView maxBytes={MAX_ZIP_BYTES} hasIndex={PLUGIN_INDEX_URL !== undefined} />
    </Prefetched>
  )
}
