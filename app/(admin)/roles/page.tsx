import { RolesView } from '@/components/roles/roles-view'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Roles' }

export default async function RolesPage() {
  await pageContext('users:manage')
  return <RolesView />
}
