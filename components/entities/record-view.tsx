import { queryOptions, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import { commentsOptions } from '@/components/comments/comment-queries'
import type { Condition } from '@/components/data-table/filter/condition'
import { rememberRecord } from '@/components/entity-nav/recent-records'
import { useIsLive } from '@/components/live/use-is-live'
import { useOpenCrumb } from '@/components/shell/crumb'
import { CodeBlock } from '@/components/ui/code-block'
import { Sheet } from '@/components/ui/sheet'
import { SidePanel } from '@/components/ui/side-panel'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { Tabs } from '@/components/ui/tabs'
import { isSystemEntity } from '@/lib/definitions/names'
import { api } from '@/lib/http/client'
import { useSearch } from '@/lib/query/search'
import { exactJsonText } from '@/lib/values/exact-json'
import { entityPath } from './entity-queries'
import { PanelSkeleton } from './panel-skeleton'
import { RecordActions } from './record-actions'
import { RecordFields } from './record-fields'
import { RecordForm } from './record-form'
import { useRecordRights } from './record-rights'
import { titleOf } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'
import { usePanel } from './use-panel'

const LiveNotice = dynamic(() => import('@/components/live/live-notice'), { ssr: false })
const RecordComments = dynamic(() => import('@/components/comments/record-comments'), {
  ssr: false,
})
const RelatedSections = dynamic(() => import('./related-sections'), { ssr: false })
const RecordHistory = dynamic(() => import('@/components/record-history/record-history'), {
  ssr: false,
})

export type RecordViewProps = {
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
export function RecordView(props: RecordViewProps) {
  const { entity, columns, query, onClose } = props
  const panel = usePanel()
  const found = useSearch<EntityRecord>(entity, {
    query,
    pagination: { page: 0, size: 1 },
    count: 'none',
  })
  const record = found.data?.data[0]
  const rights = useRecordRights({ ...props, record })
  const isSystem = isSystemEntity(entity)
  const isLive = useIsLive(entity)
  const comments = useQuery({
    ...commentsOptions(entity, record?.persistenceId ?? '', 0),
    enabled: record !== undefined && !isSystem,
  })
  useRemembered(entity, record, columns)
  useOpenCrumb(record && titleOf(record, columns))
  if (record && panel.isEditing && rights.edit.isOffered && !rights.edit.why) {
    return (
      <RecordEditor
        entity={entity}
        columns={columns}
        id={record.persistenceId}
        onClose={() => panel.edit(false)}
      />
    )
  }
  return (
    <SidePanel
      onClose={onClose}
      title={record ? titleOf(record, columns) : entity}
      description={record ? `${entity} ${record.persistenceId}` : undefined}
      actions={record && <RecordActions {...props} {...{ record, rights }} />}
    >
      {found.isPending && <PanelSkeleton />}
      <ErrorState of={found} />
      {record && isLive && (
        <div className="px-4 pt-3 empty:hidden has-[>:empty]:hidden">
          <LiveNotice key={record.persistenceId} {...{ entity, record, columns }} />
        </div>
      )}
      {found.data && !record && (
        <>
          <EmptyState title="Record not found">It may have been deleted.</EmptyState>
          {panel.record && !panel.peeked && !isSystem && (
            <section aria-label="History" className="border-t px-4 py-3">
              <RecordHistory entity={entity} id={panel.record} columns={columns} />
            </section>
          )}
        </>
      )}
      {record && (
        <Tabs
          aria-label="Record format"
          defaultValue={panel.tab === 'comments' && !isSystem ? 'comments' : 'fields'}
          className="px-4 pt-1 pb-4"
          tabs={[
            {
              value: 'fields',
              label: 'Fields',
              content: (
                <>
                  <RecordFields record={record} columns={columns} isOwn={!props.link} />
                  <RelatedSections {...{ entity, record }} readOnly={props.readOnly} />
                </>
              ),
            },
            {
              value: 'json',
              label: 'JSON',
              content: <CodeBlock label="JSON" code={exactJsonText(record, 2)} />,
            },
            ...(isSystem
              ? []
              : [
                  {
                    value: 'comments' as const,
                    label: 'Comments',
                    count: comments.data?.total || undefined,
                    content: <RecordComments entity={entity} id={record.persistenceId} />,
                  },
                  {
                    value: 'history' as const,
                    label: 'History',
                    content: (
                      <RecordHistory
                        entity={entity}
                        id={record.persistenceId}
                        columns={columns}
                        readOnly={props.readOnly}
                      />
                    ),
                  },
                ]),
          ]}
        />
      )}
    </SidePanel>
  )
}

/** Puts the record among those that the sidebar offers again. */
function useRemembered(
  entity: string,
  record: EntityRecord | undefined,
  columns: ColumnDescription[],
) {
  const id = record?.persistenceId
  const title = record && titleOf(record, columns)
  useEffect(() => {
    if (id && title) rememberRecord({ entity, id, title })
  }, [entity, id, title])
}

type Props = { entity: string; columns: ColumnDescription[]; id: string; onClose: () => void }

/** Edits the current state of a record: it is read again, with the ETag that detects later changes. */
function RecordEditor({ entity, columns, id, onClose }: Props) {
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
    <Sheet onClose={onClose} title={`Edit ${id}`}>
      {found.error ? <ErrorState of={found} /> : <PanelSkeleton />}
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
