import type { Metadata } from 'next'
import { RolesView } from '@/components/roles/roles-view'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Roles' }

export default async function RolesPage() {
  await pageContext('users:manage')
  return <RolesView />
}
