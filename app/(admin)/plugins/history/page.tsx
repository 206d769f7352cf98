import type { Metadata } from 'next'
import { HistoryTable } from '@/components/plugins/history-table'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Plugin history' }

export default async function HistoryPage() {
  await pageContext('plugins:read')
  return (
    <Page fill title="History" description="Every install, and what became of each file.">
      <HistoryTable />
    </Page>
  )
}
