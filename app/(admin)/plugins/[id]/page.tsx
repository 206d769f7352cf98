import { Prefetched, prefetchOne, prefetchSearch } from '@/app/(admin)/prefetch'
import { GET as getPlugin } from '@/app/api/plugins/[id]/route'
import { PluginDetail } from '@/components/plugins/plugin-detail'
import { pluginKey, versionsSearch } from '@/components/plugins/searches'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Plugin' }

export default async function PluginPage({ params }: PageProps<'/plugins/[id]'>) {
  await pageContext('plugins:read')
  const id = decodeURIComponent((await params).id)
  const path = `/api/plugins/${encodeURIComponent(id)}`
  const fetched = await Promise.all([
    prefetchOne(pluginKey(id), getPlugin, { path, params: { id } }),
    prefetchSearch('EnginePluginHistory', versionsSearch(id)),
  ])
  return (
    <Prefetched of={fetched}>
      <PluginDetail id={id} />
    </Prefetched>
  )
}
