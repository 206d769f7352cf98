'use client'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { Status } from '@/components/ui/status'
import type { Readiness } from '@/lib/health/contract'
import { api } from '@/lib/http/client'
import { HEALTH_KEY } from './dashboard-searches'

const REFRESH_MS = 30_000
const KINDS = { postgres: 'PostgreSQL', pglite: 'Embedded database' }

/** Whether database, mail and storage work. */
export function Health() {
  const health = useQuery({
    queryKey: HEALTH_KEY,
    queryFn: async ({ signal }) => (await api<Readiness>('/api/health/ready', { signal })).data[0],
    refetchInterval: REFRESH_MS,
  })
  return (
    <Card title="Health">
      {health.isPending ? <Skeleton className="h-24" /> : <States readiness={health.data} />}
    </Card>
  )
}

function States({ readiness }: { readiness: Readiness | undefined }) {
  if (!readiness) return <Status tone="destructive">The database is unavailable</Status>
  const { database, mail, storage } = readiness
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-2.5">
      <dt>{KINDS[database.kind]}</dt>
      <dd>
        <Status tone="success">Up</Status>
      </dd>
      <dt>Mail</dt>
      <dd>
        {mail.status === 'up' ? (
          <Status tone="success">Up</Status>
        ) : (
          <Status tone="neutral">Kept in the outbox</Status>
        )}
      </dd>
      <dt>Storage ({storage.provider})</dt>
      <dd>
        {storage.status === 'up' ? (
          <Status tone="success">Up</Status>
        ) : (
          <Status tone="destructive">Down</Status>
        )}
      </dd>
    </dl>
  )
}
