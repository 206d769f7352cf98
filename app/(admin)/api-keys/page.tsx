import { Prefetched, prefetchList } from '@/app/(admin)/prefetch'
import { keysQuery } from '@/components/api-keys/key-queries'
import { KeysList } from '@/components/api-keys/keys-list'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'API keys' }

export default async function ApiKeysPage({ searchParams }: PageProps<'/api-keys'>) {
  await pageContext('keys:manage')
  return (
    <Prefetched of={[await prefetchList(keysQuery, searchParams)]}>
      <KeysList />
    </Prefetched>
  )
}
