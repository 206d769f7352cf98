import { Prefetched, prefetchList } from '@/app/(admin)/prefetch'
import { usersQuery } from '@/components/users/user-queries'
import { UsersList } from '@/components/users/users-list'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Users' }

export default async function UsersPage({ searchParams }: PageProps<'/users'>) {
  await pageContext('users:manage')
  return (
    <Prefetched of={[await prefetchList(usersQuery, searchParams)]}>
      <UsersList />
    </Prefetched>
  )
}
