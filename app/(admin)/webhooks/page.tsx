import { WebhooksView } from '@/components/webhooks/webhooks-view'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Webhooks' }

export default async function WebhooksPage() {
  await pageContext('webhooks:manage')
  return <WebhooksView />
}
