import type { Metadata } from 'next'
import { UserDetail } from '@/components/users/user-detail'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'User' }

export default async function UserPage({ params }: PageProps<'/users/[userId]'>) {
  await pageContext('users:manage')
  const { userId } = await params
  return <UserDetail key={userId} userId={userId} />
}
