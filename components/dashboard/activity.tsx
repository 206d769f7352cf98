import { countIn, trashedIn, wordsOf } from '@/components/audit/action-words'
import { AuditActor } from '@/components/audit/audit-actor'
import type { AuditRow } from '@/components/audit/audit-search'
import { ObjectName, useObjectNames } from '@/components/audit/object-names'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { ACTIVITY } from './dashboard-searches'

/** The latest changes, from the audit log. */
export function Activity() {
  const audit = useSearch<AuditRow>('EngineAuditLog', ACTIVITY)
  const nameOf = useObjectNames(audit.data?.data ?? [])
  return (
    <Card
      title="Recent activity"
      actions={
        <Link href="/audit" className="text-[13px] text-primary hover:underline">
          Audit log
        </Link>
      }
    >
      <ErrorState of={audit} />
      {audit.isPending && <Skeleton className="h-64" />}
      {audit.data?.data.length === 0 && <p className="text-muted-foreground">No changes yet.</p>}
      <ul className="grid gap-2">
        {audit.data?.data.map((row) => (
          <li key={row.id} className="grid grid-cols-[1fr_auto] gap-x-4">
            <span className="truncate">
              {wordsOf(row.action)}{' '}
              <span className="font-medium">
                {row.action.startsWith('records.') || row.action.startsWith('trash.') ? (
                  <>
                    <EntityLink name={row.objectType} />
                    {countIn(row) && <span className="font-normal"> · {countIn(row)}</span>}
                  </>
                ) : (
                  <ObjectName object={nameOf(row)} />
                )}
              </span>
            </span>
            <span className="text-[13px] text-muted-foreground">
              <Time value={row.createdAt} relative />
            </span>
            <span className="text-[13px] text-muted-foreground">
              <AuditActor {...row} />
            </span>
            <TrashLink row={row} />
            {row.details?.mail === 'kept' && (
              <span className="col-span-2 text-[13px] text-muted-foreground">
                Its mail is kept in the outbox
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Whether what was deleted is still there is said in the trash. */
function TrashLink({ row }: { row: AuditRow }) {
  const batchId = trashedIn(row)
  if (!batchId) return null
  return (
    <Link
      href={`/trash?batch=${batchId}`}
      className="text-right text-[13px] text-primary hover:underline"
    >
      Restore
    </Link>
  )
}

const EntityLink = ({ name }: { name: string }) => (
  <Link href={`/entities/${encodeURIComponent(name)}`} className="hover:underline">
    {name}
  </Link>
)
