import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { columnsOptions } from '@/components/entities/entity-queries'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { Skeleton } from '@/components/ui/state'
import type { TrashBatch } from '@/lib/trash/contract'
import { announceRestoration } from './announce-restoration'
import { restoreRight } from './batch-name'
import { RECORDS_SIZE, recordsOptions, restoreBatch } from './trash-queries'
import { TrashedRow } from './trashed-record'

/** The records of a deletion, edit or import, a page at a time: as they were, or what became of them. Chosen deleted ones are restored by themselves. */
export function TrashedRecords({ batch }: { batch: TrashBatch }) {
  const { batchId } = batch
  const entity = batch.entity ?? ''
  const columns = useQuery({ ...columnsOptions(entity), retry: false }).data?.data ?? NONE
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const mayRestore = useCan(restoreRight(batch)) && batch.kind === 'records'
  const label = batch.kind === 'records' ? 'Deleted records' : 'Changed records'
  const found = useQuery({ ...recordsOptions(batchId, page), placeholderData: keepPreviousData })
  const restoration = useMutation({
    mutationFn: () => restoreBatch(batchId, [...chosen]),
    onSuccess: (result) => {
      setChosen(new Set())
      setPage(0)
      announceRestoration(batch, result)
    },
  })
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const records = found.data?.data ?? []
  return (
    <section aria-labelledby="trashed" className="grid gap-2" aria-busy={found.isFetching}>
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 id="trashed" className="font-medium">
          Records
        </h3>
        {chosen.size > 0 && (
          <Button size="sm" busy={restoration.isPending} onClick={() => restoration.mutate()}>
            Restore {countOf(chosen.size, 'chosen record')}
          </Button>
        )}
      </div>
      {restoration.error && <Notice tone="warning">{restoration.error.message}</Notice>}
      {found.error && <Notice tone="warning">{found.error.message}</Notice>}
      {found.isPending && <Skeleton className="h-40" />}
      {records.length > 0 && (
        <ul
          aria-label={label}
          className="divide-y overflow-hidden rounded-md border bg-card text-[13px]"
        >
          {records.map((record) => (
            <TrashedRow
              key={record.id}
              entity={entity}
              columns={columns}
              record={record}
              chosen={chosen.has(record.id)}
              onToggle={mayRestore ? () => toggle(record.id) : null}
            />
          ))}
        </ul>
      )}
      <Pager
        aria-label={label}
        {...{ page, size: RECORDS_SIZE, total: found.data?.pagination?.total ?? 0 }}
        onPage={setPage}
        text="records"
      />
    </section>
  )
}

const NONE: never[] = []
