import type { Metadata } from 'next'
import { Prefetched, prefetchSearch } from '@/app/(admin)/prefetch'
import { loadListParams } from '@/components/data-table/list-params'
import { historySearch } from '@/components/plugins/history-search'
import { HistoryTable } from '@/components/plugins/history-table'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Plugin history' }

export default async function HistoryPage({ searchParams }: PageProps<'/plugins/history'>) {
  await pageContext('plugins:read')
  const search = historySearch(await loadListParams(searchParams))
  return (
    <Prefetched of={[await prefetchSearch('EnginePluginHistory', search)]}>
      <Page fill title="History" description="Every install, and what became of each file.">
        <HistoryTable />
      </Page>
    </Prefetched>
  )
}
