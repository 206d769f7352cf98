'use client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Sheet } from '@/components/ui/sheet'
import { ErrorState } from '@/components/ui/state'
import { api } from '@/lib/http/client'
import { entityPath } from './entity-queries'
import { PanelSkeleton } from './panel-skeleton'
import { RecordForm } from './record-form'
import type { ColumnDescription, EntityRecord } from './types'

type Props = { entity: string; columns: ColumnDescription[]; id: string; onClose: () => void }

/** Edits the current state of a record: it is read again, with the ETag that detects later changes. */
export function RecordEditor({ entity, columns, id, onClose }: Props) {
  const found = useQuery(freshRecord(entity, id))
  const record = found.data?.data[0]
  if (record && found.data) {
    return (
      <RecordForm
        key={found.data.etag}
        entity={entity}
        columns={columns}
        record={record}
        etag={found.data.etag}
        onReload={() => void found.refetch()}
        onClose={onClose}
      />
    )
  }
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={`Edit ${id}`}>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => found.refetch()} />
      ) : (
        <PanelSkeleton />
      )}
    </Sheet>
  )
}

const freshRecord = (entity: string, id: string) =>
  queryOptions({
    queryKey: ['record', entity, id],
    queryFn: ({ signal }) =>
      api<EntityRecord>(entityPath(entity, `/${encodeURIComponent(id)}`), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
