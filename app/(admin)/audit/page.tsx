import { Prefetched, prefetchList } from '@/app/(admin)/prefetch'
import { AuditList } from '@/components/audit/audit-list'
import { auditQuery } from '@/components/audit/audit-search'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Audit' }

export default async function AuditPage({ searchParams }: PageProps<'/audit'>) {
  await pageContext('system:read')
  return (
    <Prefetched of={[await prefetchList(auditQuery, searchParams)]}>
      <AuditList />
    </Prefetched>
  )
}
