import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Prefetched, prefetch, prefetchOne } from '@/app/(admin)/prefetch'
import { GET as getDefinition } from '@/app/api/entities/[entityName]/definition/route'
import { GET as getEntities } from '@/app/api/entities/route'
import { ENTITIES_KEY } from '@/components/entities/entity-queries'
import { ModelEditor } from '@/components/model/model-editor'
import { definitionKey } from '@/components/model/model-queries'
import { pageContext } from '@/lib/http/page'

type Props = PageProps<'/entities/[name]/definition/edit'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Edit ${decodeURIComponent((await params).name)}` }
}

export default async function EditDefinitionPage({ params }: Props) {
  const entity = decodeURIComponent((await params).name)
  await pageContext('plugins:install')
  const definition = await prefetchOne(definitionKey(entity), getDefinition, {
    path: `/api/entities/${encodeURIComponent(entity)}/definition`,
    params: { entityName: entity },
  })
  if (!definition) notFound()
  const entities = await prefetch(ENTITIES_KEY, getEntities, { path: '/api/entities?counts=true' })
  return (
    <Prefetched of={[definition, entities]}>
      <ModelEditor name={entity} />
    </Prefetched>
  )
}
