import type { Metadata } from 'next'
import { Prefetched, prefetchSearch } from '@/app/(admin)/prefetch'
import { keysSearch } from '@/components/api-keys/api-keys-search'
import { ApiKeysView } from '@/components/api-keys/api-keys-view'
import { loadListParams } from '@/components/data-table/list-params'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'API keys' }

export default async function ApiKeysPage({ searchParams }: PageProps<'/api-keys'>) {
  await pageContext('keys:manage')
  const search = keysSearch(await loadListParams(searchParams))
  return (
    <Prefetched of={[await prefetchSearch('EngineApiKeys', search)]}>
      <ApiKeysView />
    </Prefetched>
  )
}
