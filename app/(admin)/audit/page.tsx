import type { Metadata } from 'next'
import { Prefetched, prefetchSearch } from '@/app/(admin)/prefetch'
import { auditSearch } from '@/components/audit/audit-search'
import { AuditTable } from '@/components/audit/audit-table'
import { loadListParams } from '@/components/data-table/list-params'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Audit' }

export default async function AuditPage({ searchParams }: PageProps<'/audit'>) {
  await pageContext('system:read')
  const search = auditSearch(await loadListParams(searchParams))
  return (
    <Prefetched of={[await prefetchSearch('EngineAuditLog', search)]}>
      <Page fill title="Audit" description="Every change: who made it, when, and to what.">
        <AuditTable />
      </Page>
    </Prefetched>
  )
}
