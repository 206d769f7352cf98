'use client'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { Sheet } from '@/components/ui/sheet'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { ApiError } from '@/lib/http/client'
import type { TrashBatch } from '@/lib/trash/contract'
import { Conflicts } from './conflicts'
import { RestoreButton } from './restore-button'
import { TimeLeft } from './time-left'
import { batchOptions, type TrashBatchWithConflicts } from './trash-queries'

type Props = { batchId: string; onRestore: (batch: TrashBatch) => void; onClose: () => void }

/** One deletion: what was deleted, when and by whom, and why some of it could not be restored. */
export function TrashPanel({ batchId, onRestore, onClose }: Props) {
  const { data: batch, error, refetch } = useQuery(batchOptions(batchId))
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={batch ? `Deleted from ${batch.entity}` : 'Deleted records'}
      footer={batch && !error && <RestoreButton batch={batch} onPress={onRestore} />}
    >
      {isGone ? (
        <EmptyState title="These records are no longer in the trash">
          They were restored or permanently deleted.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} onRetry={() => refetch()} />
      ) : batch ? (
        <Batch batch={batch} />
      ) : (
        <div className="grid gap-3 p-4">
          <Skeleton className="h-28" />
        </div>
      )}
    </Sheet>
  )
}

function Batch({ batch }: { batch: TrashBatchWithConflicts }) {
  const { entity, count, deletedAt, deletedBy, expiresAt, conflicts } = batch
  const mayWrite = useCan({ entity, action: 'write' })
  return (
    <div className="grid gap-5 p-4">
      <Facts
        facts={[
          {
            label: 'Entity',
            value: (
              <Link
                href={`/entities/${encodeURIComponent(entity)}`}
                className="text-primary underline-offset-2 hover:underline"
              >
                {entity}
              </Link>
            ),
          },
          { label: 'Records', value: formatCount(count) },
          { label: 'Deleted', value: <Time value={deletedAt} /> },
          { label: 'By', value: deletedBy },
          { label: 'Time left', value: <TimeLeft until={expiresAt} /> },
        ]}
      />
      {!mayWrite && (
        <Notice>To restore them you also need the right to create records of {entity}.</Notice>
      )}
      {conflicts.length > 0 && (
        <section aria-labelledby="conflicts" className="grid gap-2">
          <h3 id="conflicts" className="font-medium">
            {countOf(count, 'record')} could not be restored
          </h3>
          <Conflicts conflicts={conflicts} total={count} />
        </section>
      )}
    </div>
  )
}
