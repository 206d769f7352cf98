import type { Metadata } from 'next'
import { HistoryDetail } from '@/components/plugins/history-detail'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Install' }

export default async function InstallPage({ params }: PageProps<'/plugins/history/[id]'>) {
  await pageContext('plugins:read')
  return <HistoryDetail id={(await params).id} />
}
