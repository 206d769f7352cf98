import { useQuery } from '@tanstack/react-query'
import { CircleDotIcon, CircleMinusIcon, EqualIcon, PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { columnsOptions } from '@/components/entities/entity-queries'
import { keyValues } from '@/components/entities/key-values'
import { RecordHeading } from '@/components/entities/record-heading'
import { nameOf } from '@/components/entities/record-title'
import type { ColumnDescription, EntityRecord } from '@/components/entities/types'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Pager } from '@/components/ui/pager'
import { Skeleton } from '@/components/ui/state'
import { Status } from '@/components/ui/status'
import { messageOf } from '@/lib/errors'
import { plainText } from '@/lib/values/exact-json'
import { installQueue, type QueueItem } from './install-queue'
import { RecordDiff } from './record-diff'
import type { FileLog, PlannedRecord } from './searches'
import { plannedRecords } from './send-archive'

const SIZE = 20

const LOOKS = {
  created: { tone: 'success', icon: PlusIcon, label: 'New' },
  updated: { tone: 'info', icon: CircleDotIcon, label: 'Changed' },
  unchanged: { tone: 'neutral', icon: EqualIcon, label: 'Same' },
  deleted: { tone: 'destructive', icon: CircleMinusIcon, label: 'Deleted' },
} as const

type Props = { item: QueueItem; path: string; target: FileLog['target'] }

/** What the plan does to each record of a data file, a page at a time; loaded when it is shown. */
export function PlannedRecords({ item, path, target }: Props) {
  const columns = useQuery({
    ...columnsOptions(target ?? ''),
    enabled: Boolean(target),
    retry: false,
  })
  const [page, setPage] = useState(0)
  const seal = item.preview?.seal
  const found = useQuery({
    queryKey: ['planned-records', item.id, seal, path, page],
    queryFn: ({ signal }) => plannedRecords(item, { path, page, size: SIZE }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (found.isError) return <Notice tone="warning">{messageOf(found.error)}</Notice>
  if (!found.data) return <Skeleton className="h-16" />
  const { records, total } = found.data
  if (found.data.seal !== seal) return <PlanOutOfDate id={item.id} />
  if (total === 0) return null
  return (
    <section aria-label={`Records of ${path}`} className="grid gap-2">
      <ul className="divide-y overflow-hidden rounded-md border bg-card">
        {records.map((record, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: generated keys are not known; the order is fixed
          <Row key={index} {...{ record, target, columns: columns.data?.data }} />
        ))}
      </ul>
      <Pager
        aria-label={`Records of ${path}`}
        {...{ page, size: SIZE, total }}
        onPage={setPage}
        text="records, changed ones first"
      />
    </section>
  )
}

type RowProps = Pick<Props, 'target'> & {
  record: PlannedRecord
  columns?: readonly ColumnDescription[]
}

function Row({ record, target, columns = [] }: RowProps) {
  const { key, verdict, before, after } = record
  const isNew = verdict === 'created'
  const { tone, icon, label } = LOOKS[verdict]
  return (
    <li className="grid gap-1 px-3 py-2 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-3">
      <p className="flex min-w-0 items-start gap-2">
        <Status tone={tone} icon={icon} className="shrink-0">
          {label}
        </Status>
        <span className="min-w-0 leading-5 break-words">
          <RecordHeading
            entity={target ?? ''}
            values={key && target && !isNew ? keyValues(key, columns) : null}
            title={isNew ? nameOf((after ?? {}) as EntityRecord, columns) : null}
            name={key ? keyText(key) : 'key generated'}
          />
        </span>
      </p>
      <RecordDiff {...{ before, after, columns }} hidden={Object.keys(key ?? {})} />
    </li>
  )
}

const keyText = (key: NonNullable<PlannedRecord['key']>): string =>
  Object.values(key).map(plainText).join(', ')

/** What was loaded later is of another plan than the one that is shown. */
export const PlanOutOfDate = ({ id }: { id: string }) => (
  <Notice
    tone="warning"
    title="The plan is out of date"
    actions={
      <Button size="sm" onClick={() => installQueue.planAgain(id)}>
        Make a new plan
      </Button>
    }
  >
    What it depends on has changed.
  </Notice>
)
