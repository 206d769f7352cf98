import { WebhookPage } from '@/components/webhooks/webhook-page'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Webhook' }

export default async function OneWebhookPage({ params }: PageProps<'/webhooks/[id]'>) {
  await pageContext('webhooks:manage')
  return <WebhookPage id={(await params).id} />
}
