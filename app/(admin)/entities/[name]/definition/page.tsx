import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Prefetched, prefetch, prefetchSearch } from '@/app/(admin)/prefetch'
import { GET as getColumns } from '@/app/api/entities/[entityName]/columns/route'
import { GET as getEntities } from '@/app/api/entities/route'
import { DefinitionView } from '@/components/entities/definition-view'
import { columnsKey, ENTITIES_KEY } from '@/components/entities/entity-queries'
import { NAMES_SEARCH } from '@/components/plugins/searches'
import { pageContext } from '@/lib/http/page'

type Props = PageProps<'/entities/[name]/definition'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Definition of ${decodeURIComponent((await params).name)}` }
}

export default async function DefinitionPage({ params }: Props) {
  const entity = decodeURIComponent((await params).name)
  await pageContext({ entity, action: 'read' })
  const columns = await prefetch(columnsKey(entity), getColumns, {
    path: `/api/entities/${encodeURIComponent(entity)}/columns`,
    params: { entityName: entity },
  })
  if (!columns) notFound()
  const entities = await prefetch(ENTITIES_KEY, getEntities, { path: '/api/entities?counts=true' })
  const names = await prefetchSearch('EnginePlugins', NAMES_SEARCH)
  return (
    <Prefetched of={[columns, entities, names]}>
      <DefinitionView name={entity} />
    </Prefetched>
  )
}
