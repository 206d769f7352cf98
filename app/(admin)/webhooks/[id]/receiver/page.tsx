import { ReceiverGuide } from '@/components/webhooks/receiver-guide'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'For the receiver' }

export default async function ReceiverPage({ params }: PageProps<'/webhooks/[id]/receiver'>) {
  await pageContext('webhooks:manage')
  return <ReceiverGuide id={(await params).id} />
}
