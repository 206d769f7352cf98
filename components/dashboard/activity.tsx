'use client'
import Link from 'next/link'
import { AuditActor } from '@/components/audit/audit-columns'
import type { AuditRow } from '@/components/audit/audit-search'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { ACTIVITY } from './dashboard-searches'

/** The last changes, from the audit log. */
export function Activity() {
  const audit = useSearch<AuditRow>('EngineAuditLog', ACTIVITY)
  return (
    <Card
      title="Recent activity"
      actions={
        <Link href="/audit" className="text-[13px] text-primary hover:underline">
          Audit log
        </Link>
      }
    >
      {audit.error && <ErrorState error={audit.error} onRetry={() => audit.refetch()} />}
      {audit.isPending && <Skeleton className="h-64" />}
      {audit.data?.data.length === 0 && (
        <p className="text-muted-foreground">Nothing has been changed yet.</p>
      )}
      <ul className="grid gap-2">
        {audit.data?.data.map((row) => (
          <li key={row.id} className="grid grid-cols-[1fr_auto] gap-x-4">
            <span className="truncate">
              {row.action}{' '}
              <span className="text-muted-foreground">{row.objectId ?? row.objectType}</span>
            </span>
            <span className="text-[13px] text-muted-foreground">
              <Time value={row.createdAt} relative />
            </span>
            <span className="text-[13px] text-muted-foreground">
              <AuditActor {...row} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
