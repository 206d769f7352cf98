'use client'
import {
  ChevronDownIcon,
  ChevronUpIcon,
  ExternalLinkIcon,
  PencilIcon,
  Trash2Icon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Link } from '@/components/ui/link'
import { Sheet } from '@/components/ui/sheet'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { Tabs } from '@/components/ui/tabs'
import { useSearch } from '@/lib/query/search'
import { PanelSkeleton } from './panel-skeleton'
import { RecordFields } from './record-fields'
import { RecordForm } from './record-form'
import { titleOf } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'
import { usePanel } from './use-panel'

const DeleteRecords = dynamic(() => import('./delete-records'), { ssr: false })

type Props = {
  entity: string
  columns: ColumnDescription[]
  /** Matches the one record. */
  query: Condition[]
  readOnly: boolean
  /** It is another entity's: offer the way there. */
  link?: boolean
  neighbours?: { before?: string; after?: string }
  onClose: () => void
}

/** One record with all its fields. */
export function RecordView(props: Props) {
  const { entity, columns, query, onClose } = props
  const panel = usePanel()
  const found = useSearch<EntityRecord>(entity, {
    query,
    pagination: { page: 0, size: 1 },
    count: 'none',
  })
  const record = found.data?.data[0]
  if (record && panel.isEditing && !props.readOnly) {
    return (
      <RecordForm
        entity={entity}
        columns={columns}
        record={record}
        onClose={() => panel.edit(false)}
      />
    )
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={record ? titleOf(record, columns) : entity}
      description={record ? `${entity} ${record.persistenceId}` : undefined}
      actions={record && <Actions {...props} record={record} />}
    >
      {found.isPending && <PanelSkeleton />}
      {found.error && <ErrorState error={found.error} onRetry={() => found.refetch()} />}
      {found.data && !record && (
        <EmptyState title="There is no such record">It may have been deleted meanwhile.</EmptyState>
      )}
      {record && (
        <Tabs
          aria-label="Forms of the record"
          className="px-4 pt-1 pb-4"
          tabs={[
            {
              value: 'fields',
              label: 'Fields',
              content: <RecordFields record={record} columns={columns} isOwn={!props.link} />,
            },
            {
              value: 'json',
              label: 'JSON',
              content: <CodeBlock label="JSON" code={JSON.stringify(record, null, 2)} />,
            },
          ]}
        />
      )}
    </Sheet>
  )
}

function Actions({
  entity,
  query,
  readOnly,
  link,
  neighbours,
  onClose,
  record,
}: Props & { record: EntityRecord }) {
  const panel = usePanel()
  const [deleting, setDeleting] = useState(false)
  const mayUpdate = useCan({ entity, action: 'update' }) && !readOnly
  const mayDelete = useCan({ entity, action: 'delete' }) && !readOnly
  const href = `/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(record.persistenceId)}`
  return (
    <div className="flex shrink-0 items-center">
      {neighbours && <Neighbours {...neighbours} />}
      <CopyButton text={`${window.location.origin}${href}`} label="Copy the link to this record" />
      {link && (
        <Link
          href={href}
          aria-label={`Open in ${entity}`}
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <ExternalLinkIcon aria-hidden />
        </Link>
      )}
      {mayUpdate && (
        <Button variant="ghost" size="icon-sm" aria-label="Edit" onClick={() => panel.edit(true)}>
          <PencilIcon aria-hidden />
        </Button>
      )}
      {mayDelete && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Delete"
          className="text-destructive"
          onClick={() => setDeleting(true)}
        >
          <Trash2Icon aria-hidden />
        </Button>
      )}
      {deleting && (
        <DeleteRecords
          entity={entity}
          query={query}
          onClose={() => setDeleting(false)}
          onDeleted={onClose}
        />
      )}
    </div>
  )
}

function Neighbours({ before, after }: { before?: string; after?: string }) {
  const { open } = usePanel()
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Previous record"
        disabled={!before}
        onClick={() => before && open(before)}
      >
        <ChevronUpIcon aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Next record"
        disabled={!after}
        onClick={() => after && open(after)}
      >
        <ChevronDownIcon aria-hidden />
      </Button>
    </>
  )
}
