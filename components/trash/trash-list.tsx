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
import { setText } from './set-text'
import { TimeLeft } from './time-left'
import { EmptyTrash, RestoreBatch, RestoreButton } from './trash-actions'
import { TrashPanel } from './trash-panel'
import { trashOptions } from './trash-queries'

const DONE: Partial<Record<TrashBatch['kind'], string>> = {
  edit: 'edited',
  import: 'imported',
}

const COLUMNS: Column<TrashBatch>[] = [
  column(
    'entity',
    'Where',
    200,
    (batch) => (
      <span className="flex items-center gap-2">
        <span className="truncate">{batchName(batch)}</span>
        {batch.kind === 'plugin' && <Badge>{batch.plugins.length > 0 ? 'Plugin' : 'Entity'}</Badge>}
        {batch.kind === 'records' && <Badge>Deletion</Badge>}
        {batch.kind === 'edit' && <Badge>Edit</Badge>}
        {batch.kind === 'import' && <Badge>Import</Badge>}
        {batch.kind === 'policy' && <Badge>Policy</Badge>}
        {batch.kind === 'role' && <Badge>Role</Badge>}
      </span>
    ),
    { fixed: true, opens: true },
  ),
  countColumn('count', 'Records', 96),
  column('condition', 'What', 260, (batch) => <Content of={batch} />),
  timeColumn('deletedAt', 'When', { width: 172 }),
  column('deletedBy', 'By', 220),
  column('expiresAt', 'Time left', 132, ({ expiresAt }) => <TimeLeft until={expiresAt} />),
]

/** The file of an import, what an edit set, the conditions of a deletion. */
function Content({ of: batch }: { of: TrashBatch }) {
  if (batch.fileName !== undefined) return batch.fileName
  if (batch.set !== undefined) return setText(batch.set)
  return <DeletionConditions batch={batch} inline />
}

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

/** Deletions, edits and imports that can be undone, the last one first. */
export const TrashList = defineList<TrashBatch>({
  label: 'Deletions',
  layoutKey: 'trash',
  page: {
    title: 'Recently changed',
    description: 'Deletions, edits and imports that can be undone, and uninstalled plugins.',
  },
  useRows: (page) => useQuery(trashOptions(page, useEntity()[0])),
  columns: COLUMNS,
  rowId: ({ batchId }) => batchId,
  rowName: (batch) => `${batchName(batch)}, ${DONE[batch.kind] ?? 'deleted'} ${batch.deletedAt}`,
  usePanel,
  empty: {
    icon: Trash2Icon,
    title: 'Nothing to undo',
    text: 'What is deleted, edited or imported in the console can be undone here for 7 days, uninstalling plugins for 30.',
  },
})
