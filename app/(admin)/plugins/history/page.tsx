import { Prefetched, prefetchList } from '@/app/(admin)/prefetch'
import { HistoryList } from '@/components/plugins/history-list'
import { historyQuery } from '@/components/plugins/searches'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Plugin history' }

export default async function HistoryPage({ searchParams }: PageProps<'/plugins/history'>) {
  await pageContext('plugins:read')
  return (
    <Prefetched of={[await prefetchList(historyQuery, searchParams)]}>
      <HistoryList />
    </Prefetched>
  )
}
