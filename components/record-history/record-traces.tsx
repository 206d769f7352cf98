import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { eventWords, wordsOf } from '@/components/audit/action-words'
import { AuditActor } from '@/components/audit/audit-actor'
import type { AuditRow } from '@/components/audit/audit-search'
import { useCan } from '@/components/shell/viewer'
import { Link } from '@/components/ui/link'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { api } from '@/lib/http/client'
import { type Search, useSearch } from '@/lib/query/search'
import type { TrashBatch } from '@/lib/trash/contract'

type Props = { entity: string; id: string }

const FEW = 10

/** What the audit log and the trash know of a record, the latest first; of the former only for those who may read it. */
export function RecordTraces({ entity, id }: Props) {
  const mayAudit = useCan({ entity: 'EngineAuditLog', action: 'read' })
  const conditions = [
    { field: 'objectType', operator: 'eq', value: entity },
    { field: 'objectId', operator: 'eq', value: id },
  ]
  const order = [{ field: 'id', direction: 'desc' as const }]
  const search: Search = {
    ...{ query: conditions, sort: order, count: 'none' },
    pagination: { page: 0, size: FEW },
  }
  const audit = useSearch<AuditRow>('EngineAuditLog', search, { enabled: mayAudit })
  const query = { entity, record: id, size: FEW }
  const trash = useQuery({
    queryKey: ['trash', 'of-record', entity, id],
    queryFn: ({ signal }) => api<TrashBatch>('/api/trash', { query, signal }),
  })
  if (trash.error) return <ErrorState of={trash} />
  if (trash.isPending || (mayAudit && audit.isPending)) return <Skeleton className="h-20" />
  const found = [...trash.data.data.map(batchTrace), ...(audit.data?.data ?? []).map(auditTrace)]
  const traces = found.sort((a, b) => (a.at < b.at ? 1 : -1))
  return (
    <section aria-label="Elsewhere" className="grid gap-1">
      <h3 className="text-[13px] font-medium">
        In {mayAudit ? 'the audit log and Recently changed' : 'Recently changed'}
      </h3>
      {traces.length === 0 && (
        <p className="text-[13px] text-muted-foreground">Nothing is known of this record.</p>
      )}
      <ol aria-label="Traces" className="divide-y text-[13px]">
        {traces.map(({ key, at, what, by, href }) => (
          <li key={key} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2">
            <span className="tabular text-muted-foreground">
              <Time value={at} relative />
            </span>
            <span className="min-w-0 flex-1">
              {href ? (
                <Link href={href} className="text-primary hover:underline">
                  {what}
                </Link>
              ) : (
                what
              )}
            </span>
            <span className="min-w-0 text-muted-foreground">{by}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Trace = { key: string; at: string; what: string; by: ReactNode; href?: string }

const WAYS: Partial<Record<TrashBatch['kind'], string>> = {
  records: 'Deleted; can be undone',
  edit: 'Edited together with others; can be undone',
}

const batchTrace = ({ batchId, kind, fileName, deletedAt, deletedBy }: TrashBatch): Trace => ({
  key: batchId,
  at: deletedAt,
  what: WAYS[kind] ?? `Imported from ${fileName ?? 'a file'}; can be undone`,
  by: deletedBy,
  href: `/trash?batch=${encodeURIComponent(batchId)}`,
})

const auditTrace = (row: AuditRow): Trace => ({
  key: String(row.id),
  at: row.createdAt,
  // `Changed in` an entity: here it is one record.
  what: row.action.startsWith('records.') ? wordsOf(row).replace(/ .*/, '') : eventWords(row),
  by: <AuditActor {...row} />,
})
