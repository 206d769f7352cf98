'use client'
import { useQuery } from '@tanstack/react-query'
import { Trash2Icon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useCallback, useMemo, useState } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { Pager } from '@/components/data-table/pager'
import { useListState } from '@/components/data-table/use-list-state'
import { EmptyState } from '@/components/ui/state'
import type { TrashBatch } from '@/lib/trash/contract'
import { RestoreBatch } from './restore-batch'
import { RestoreButton } from './restore-button'
import { trashColumns } from './trash-columns'
import { TrashPanel } from './trash-panel'
import { trashOptions } from './trash-queries'

/** Deletions that can be taken back, the last one first. The open one stands in the page's address. */
export function TrashView() {
  const list = useListState()
  const [opened, setOpened] = useQueryState('batch', parseAsString.withOptions({ history: 'push' }))
  const [restoring, setRestoring] = useState<TrashBatch | null>(null)
  const answer = useQuery(trashOptions(list))
  const rows = answer.data?.data ?? []
  const columns = useMemo(() => trashColumns((id) => void setOpened(id)), [setOpened])
  const actions = useCallback(
    (batch: TrashBatch) => <RestoreButton batch={batch} onPress={setRestoring} iconOnly />,
    [],
  )
  return (
    <>
      <DataTable
        label="Deletions"
        layoutKey="trash"
        columns={columns}
        rows={rows}
        rowId={idOf}
        rowName={nameOf}
        list={list}
        loading={answer}
        onOpen={({ batchId }) => void setOpened(batchId)}
        rowActions={actions}
        empty={
          <EmptyState icon={Trash2Icon} title="The trash is empty">
            Records deleted in the console stay here for 7 days.
          </EmptyState>
        }
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
      {opened && (
        <TrashPanel
          key={opened}
          batchId={opened}
          onRestore={setRestoring}
          onClose={() => void setOpened(null)}
        />
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
  )
}

const idOf = ({ batchId }: TrashBatch) => batchId
const nameOf = ({ entity, deletedAt }: TrashBatch) => `${entity}, deleted ${deletedAt}`
