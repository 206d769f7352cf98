import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { CodeBlock } from '@/components/ui/code-block'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { Skeleton } from '@/components/ui/state'
import type { TrashBatch, TrashedRecord } from '@/lib/trash/contract'
import { exactJsonText, isNested, plainText } from '@/lib/values/exact-json'
import { announceRestoration } from './announce-restoration'
import { restoreRight } from './batch-name'
import { RECORDS_SIZE, recordsOptions, restoreBatch } from './trash-queries'

/** The records of a deletion, edit or import, a page at a time: as they were, or what became of them. Chosen deleted ones are restored by themselves. */
export function TrashedRecords({ batch }: { batch: TrashBatch }) {
  const { batchId } = batch
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
            <Row
              key={record.id}
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

type RowProps = { record: TrashedRecord; chosen: boolean; onToggle: (() => void) | null }

function Row({ record: row, chosen, onToggle }: RowProps) {
  const { key, record, problem, change, changes = [] } = row
  const name = keyText(key)
  return (
    <li className="flex items-start gap-2.5 px-3 py-1.5">
      {onToggle && (
        <Checkbox
          aria-label={`Choose ${name}`}
          className="mt-0.5"
          checked={chosen}
          onCheckedChange={onToggle}
        />
      )}
      <details className="min-w-0 flex-1">
        <summary className="cursor-pointer truncate">
          <span className="font-mono text-xs">{name}</span>{' '}
          <span className="text-muted-foreground">
            {change === 'edited'
              ? changes.map(changeText).join(' · ')
              : `${change ? 'Created · ' : ''}${summaryOf(record, name)}`}
          </span>
        </summary>
        {change === 'edited' ? (
          <ul className="my-1.5 grid gap-0.5 break-words">
            {changes.map((one) => (
              <li key={one.field}>{changeText(one)}</li>
            ))}
          </ul>
        ) : (
          <CodeBlock label={`Record ${name}`} code={exactJsonText(record, 2)} className="my-1.5" />
        )}
      </details>
      {problem && <span className="max-w-[45%] text-xs text-warning">{problem}</span>}
    </li>
  )
}

type Change = NonNullable<TrashedRecord['changes']>[number]

/** `price: 1.5 → 9.25` */
const changeText = ({ field, before, after }: Change): string =>
  `${field}: ${plainText(before ?? '—')} → ${plainText(after ?? '—')}`

const keyText = (key: unknown): string =>
  typeof key === 'object' && key?.constructor === Object
    ? Object.values(key).map(plainText).join(' · ')
    : plainText(key)

const SHOWN = 3

/** Its first values, so that people recognise it. */
function summaryOf(record: TrashedRecord['record'], key: string): string {
  const values = Object.values(record).filter(
    (value) => value !== null && value !== '' && !isNested(value),
  )
  return values
    .map(plainText)
    .filter((text) => text !== key)
    .slice(0, SHOWN)
    .join(' · ')
}
