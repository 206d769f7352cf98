import { ServersView } from '@/components/servers/servers-view'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Other servers' }

export default async function ServersPage() {
  await pageContext('security:manage')
  return <ServersView />
}
