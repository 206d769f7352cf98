import { Prefetched, prefetch, prefetchSearch } from '@/app/(admin)/prefetch'
import { GET as getEntities } from '@/app/api/entities/route'
import { EntitiesView } from '@/components/diagram/entities-view'
import { ENTITIES_KEY } from '@/components/entities/entity-queries'
import { NewEntityFiles } from '@/components/new-entity/new-entity-files'
import { NAMES_SEARCH } from '@/components/plugins/searches'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Entities' }

export default async function EntitiesPage() {
  await pageContext('signed-in')
  const entities = await prefetch(ENTITIES_KEY, getEntities, { path: '/api/entities?counts=true' })
  const names = await prefetchSearch('EnginePlugins', NAMES_SEARCH)
  return (
    <Prefetched of={[entities, names]}>
      <Page
        title="Entities"
        description="The data of the installed plugins."
        actions={<NewEntityFiles />}
        stacked
      >
        <EntitiesView />
      </Page>
    </Prefetched>
  )
}
