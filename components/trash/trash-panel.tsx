import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { Sheet } from '@/components/ui/sheet'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import { ApiError } from '@/lib/http/client'
import type { RestoreConflict, TrashBatch } from '@/lib/trash/contract'
import { plainText } from '@/lib/values/exact-json'
import { batchName, restoreRight } from './batch-name'
import { DeletionConditions } from './deletion-conditions'
import { setText } from './set-text'
import { TimeLeft } from './time-left'
import { RemoveForGood, RestoreButton } from './trash-actions'
import { batchOptions, type TrashBatchWithConflicts } from './trash-queries'
import { TrashedRecords } from './trashed-records'

type Props = { batchId: string; onRestore: (batch: TrashBatch) => void; onClose: () => void }

/** One deletion: what was deleted, when and by whom, and why some of it could not be restored. */
export function TrashPanel({ batchId, onRestore, onClose }: Props) {
  const { data: batch, error, refetch } = useQuery(batchOptions(batchId))
  const isRemoved = error instanceof ApiError && error.status === 404
  return (
    <Sheet
      onClose={onClose}
      title={batch ? titleOf(batch) : 'Deletion'}
      footer={
        batch &&
        !error && (
          <>
            <RemoveForGood batch={batch} onRemoved={onClose} />
            <RestoreButton batch={batch} onPress={onRestore} />
          </>
        )
      }
    >
      {isRemoved ? (
        <EmptyState title="This change can no longer be undone">
          It was undone or deleted for good, or has expired.
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

const TITLES: Record<TrashBatch['kind'], string> = {
  records: 'Deleted from',
  edit: 'Edited in',
  import: 'Imported into',
  plugin: 'Uninstalled:',
  policy: 'Changed policy:',
  role: 'Changed role:',
}

const WHEN: Partial<typeof TITLES> = {
  edit: 'Edited',
  import: 'Imported',
  policy: 'Changed',
  role: 'Changed',
}

const titleOf = (batch: TrashBatch) => `${TITLES[batch.kind]} ${batchName(batch)}`

function Batch({ batch }: { batch: TrashBatchWithConflicts }) {
  const { kind, entity, entities, count, deletedAt, deletedBy, expiresAt, conflicts } = batch
  const mayRestore = useCan(restoreRight(batch))
  const mayRead = useCan({ entity: entity ?? '', action: 'read' })
  return (
    <div className="grid gap-5 p-4">
      <Facts
        facts={[
          entity !== null && {
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
          batch.fileName !== undefined && { label: 'File', value: batch.fileName },
          batch.set !== undefined && { label: 'Set', value: setText(batch.set) },
          kind === 'plugin' &&
            batch.plugins.length > 0 && { label: 'Plugin', value: batchName(batch) },
          kind === 'plugin' && { label: 'Entities', value: entities.join(', ') || 'None' },
          batch.name === undefined && { label: 'Records', value: formatCount(count) },
          batch.query !== null && {
            label: 'Condition',
            value: <DeletionConditions batch={batch} />,
          },
          batch.ignored !== undefined && {
            label: 'Ignored',
            value: `${batch.ignored.join(', ')}: the request had no query, so all records were deleted`,
          },
          { label: WHEN[kind] ?? 'Deleted', value: <Time value={deletedAt} /> },
          { label: 'By', value: deletedBy },
          { label: 'Time left', value: <TimeLeft until={expiresAt} /> },
        ]}
      />
      {!mayRestore && entity !== null && (
        <Notice>
          To undo this you also need the right to{' '}
          {kind === 'records' ? 'create' : kind === 'edit' || !batch.created ? 'change' : 'delete'}{' '}
          records of {entity}.
        </Notice>
      )}
      {conflicts.length > 0 && (
        <section aria-labelledby="conflicts" className="grid gap-2">
          <h3 id="conflicts" className="font-medium">
            {entity === null
              ? 'It cannot be restored now'
              : `${countOf(count, 'record')} could not be restored`}
          </h3>
          <Conflicts
            conflicts={conflicts}
            total={entity === null ? conflicts.length : count}
            header={entity === null ? 'Name' : 'Key'}
          />
        </section>
      )}
      {entity !== null && mayRead && <TrashedRecords batch={batch} />}
    </div>
  )
}

type ConflictsProps = {
  conflicts: readonly RestoreConflict[]
  total: number
  header: 'Key' | 'Name'
}

/** What could not be restored, and why. */
const Conflicts = ({ conflicts, total, header }: ConflictsProps) => (
  <>
    <div className="overflow-hidden rounded-md border bg-card [&_tr:last-child>td]:border-b-0">
      <Table aria-label="What could not be restored">
        <thead>
          <tr>
            <Th className="w-32 px-3">{header}</Th>
            <Th className="px-3">Reason</Th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ key, message }) => (
            <tr key={message}>
              <Td className="max-w-40 px-3 py-1.5 align-top font-mono text-xs break-all">
                {plainText(key)}
              </Td>
              <Td className="px-3 py-1.5 break-words">{message}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
    {total > conflicts.length && (
      <p className="text-xs text-muted-foreground">
        The first {formatCount(conflicts.length)} of {formatCount(total)}.
      </p>
    )}
  </>
)
