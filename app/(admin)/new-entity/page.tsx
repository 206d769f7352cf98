import { Prefetched, prefetch } from '@/app/(admin)/prefetch'
import { GET as getEntities } from '@/app/api/entities/route'
import { ENTITIES_KEY } from '@/components/entities/entity-queries'
import { NewEntity } from '@/components/model/new-entity'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'New entity' }

export default async function NewEntityPage() {
  await pageContext('plugins:install')
  const entities = await prefetch(ENTITIES_KEY, getEntities, { path: '/api/entities?counts=true' })
  return (
    <Prefetched of={[entities]}>
      <Page
        title="New entity"
        description="Nothing changes until you apply it. Every version can be rolled back."
      >
        <NewEntity />
      </Page>
    </Prefetched>
  )
}
