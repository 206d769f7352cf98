import type { Metadata } from 'next'
import { Prefetched, prefetchSearch } from '@/app/(admin)/prefetch'
import { loadListParams } from '@/components/data-table/list-params'
import { usersSearch } from '@/components/users/users-search'
import { UsersView } from '@/components/users/users-view'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Users' }

export default async function UsersPage({ searchParams }: PageProps<'/users'>) {
  await pageContext('users:manage')
  const search = usersSearch(await loadListParams(searchParams))
  return (
    <Prefetched of={[await prefetchSearch('EngineUsers', search)]}>
      <UsersView />
    </Prefetched>
  )
}
