'use client'
import { useQuery } from '@tanstack/react-query'
import { Trash2Icon, XIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback, useState } from 'react'
import type { Column } from '@/components/data-table/column'
import { column, countColumn, timeColumn } from '@/components/lists/columns'
import { defineList, type Panel } from '@/components/lists/define-list'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/status'
import type { TrashBatch } from '@/lib/trash/contract'
import { batchName } from './batch-name'
import { DeletionConditions } from './deletion-conditions'
import { TimeLeft } from './time-left'
import { EmptyTrash, RestoreBatch, RestoreButton } from './trash-actions'
import { TrashPanel } from './trash-panel'
import { trashOptions } from './trash-queries'

const COLUMNS: Column<TrashBatch>[] = [
  column(
    'entity',
    'Deleted from',
    200,
    (batch) => (
      <span className="flex items-center gap-2">
        <span className="truncate">{batchName(batch)}</span>
        {batch.kind === 'plugin' && <Badge>Plugin</Badge>}
        {batch.kind === 'edit' && <Badge>Edit</Badge>}
        {batch.kind === 'policy' && <Badge>Policy</Badge>}
        {batch.kind === 'role' && <Badge>Role</Badge>}
      </span>
    ),
    { fixed: true, opens: true },
  ),
  countColumn('count', 'Records', 96),
  column('condition', 'Condition', 220, (batch) => <DeletionConditions batch={batch} inline />),
  timeColumn('deletedAt', 'Deleted', { width: 172 }),
  column('deletedBy', 'By', 220),
  column('expiresAt', 'Time left', 132, ({ expiresAt }) => <TimeLeft until={expiresAt} />),
]

const useEntity = () => useQueryState('entity', parseAsString)

/** Whose deletions these are, and emptying the trash. */
function Actions() {
  const [entity, setEntity] = useEntity()
  return (
    <>
      {entity !== null && (
        <Button onClick={() => void setEntity(null)}>
          <XIcon aria-hidden /> Only {entity}
        </Button>
      )}
      <EmptyTrash entity={entity} />
    </>
  )
}

/** The open deletion stands in the address of the page. */
function usePanel(): Panel<TrashBatch> {
  const [opened, setOpened] = useQueryState('batch', parseAsString.withOptions({ history: 'push' }))
  const [restoring, setRestoring] = useState<TrashBatch | null>(null)
  const close = () => void setOpened(null)
  return {
    actions: <Actions />,
    open: ({ batchId }) => void setOpened(batchId),
    rowActions: useCallback(
      (batch) => <RestoreButton batch={batch} onPress={setRestoring} iconOnly />,
      [],
    ),
    panel: (
      <>
        {opened && (
          <TrashPanel key={opened} batchId={opened} onRestore={setRestoring} onClose={close} />
        )}
        {restoring && (
          <RestoreBatch
            batch={restoring}
            onClose={() => setRestoring(null)}
            onRestored={({ conflictCount }) =>
              void setOpened(conflictCount > 0 ? restoring.batchId : null)
            }
          />
        )}
      </>
    ),
  }
}

/** Deletions that can be undone, the last one first. */
export const TrashList = defineList<TrashBatch>({
  label: 'Deletions',
  layoutKey: 'trash',
  page: {
    title: 'Trash',
    description:
      'Deleted records, what edits of many records replaced, and uninstalled plugins, until they are deleted for good.',
  },
  useRows: (page) => useQuery(trashOptions(page, useEntity()[0])),
  columns: COLUMNS,
  rowId: ({ batchId }) => batchId,
  rowName: (batch) =>
    `${batchName(batch)}, ${batch.kind === 'edit' ? 'edited' : 'deleted'} ${batch.deletedAt}`,
  usePanel,
  empty: {
    icon: Trash2Icon,
    title: 'The trash is empty',
    text: 'Records deleted in the console stay here for 7 days, uninstalled plugins for 30.',
  },
})
