import { Prefetched, prefetchOne, prefetchSearch } from '@/app/(admin)/prefetch'
import { GET as getUser } from '@/app/api/users/[userId]/route'
import { UserDetail } from '@/components/users/user-detail'
import { historySearch, userKey } from '@/components/users/user-queries'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'User' }

export default async function UserPage({ params }: PageProps<'/users/[userId]'>) {
  await pageContext('users:manage')
  const { userId } = await params
  const fetched = await Promise.all([
    prefetchOne(userKey(userId), getUser, { path: `/api/users/${userId}`, params: { userId } }),
    prefetchSearch('EngineAuditLog', historySearch(userId)),
  ])
  return (
    <Prefetched of={fetched}>
      <UserDetail key={userId} userId={userId} />
    </Prefetched>
  )
}
