import { notFound } from 'next/navigation'
import { Prefetched, prefetchOne } from '@/app/(admin)/prefetch'
import { GET as getInstall } from '@/app/api/plugins/history/[id]/route'
import { HistoryDetail } from '@/components/plugins/history-detail'
import { installKey } from '@/components/plugins/searches'
import { pageContext } from '@/lib/http/page'
import { historyParams } from '@/lib/installs/contract'

export const metadata = { title: 'Install' }

export default async function InstallPage({ params }: PageProps<'/plugins/history/[id]'>) {
  await pageContext('plugins:read')
  const input = await params
  const parsed = historyParams.safeParse(input)
  if (!parsed.success) notFound()
  const { id } = parsed.data
  const path = `/api/plugins/history/${id}`
  return (
    <Prefetched of={[await prefetchOne(installKey(id), getInstall, { path, params: input })]}>
      <HistoryDetail id={id} />
    </Prefetched>
  )
}
