import { useQuery } from '@tanstack/react-query'
import { CheckIcon, PinIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { columnsOptions } from '@/components/entities/entity-queries'
import { keyValues } from '@/components/entities/key-values'
import { RecordHeading } from '@/components/entities/record-heading'
import type { ColumnDescription } from '@/components/entities/types'
import { cn } from '@/components/ui/cn'
import { Pager } from '@/components/ui/pager'
import { Segmented } from '@/components/ui/segmented'
import { Status } from '@/components/ui/status'
import { plainText } from '@/lib/values/exact-json'
import type { FileLog } from '../searches'
import { type Resolution, type Side, sideOf, withSide } from './resolution'
import type { Wording } from './wording'

type Props = {
  entity: string
  conflicts: readonly Conflict[]
  wording: Wording
}

type ChoiceProps = Props & {
  resolution: Resolution
  /** What happens to records about which nothing was chosen. */
  fallback: Side | null
  onResolve: (resolution: Resolution) => void
  readOnly?: boolean
}

/** Records in conflict, with a choice for each. */
export function ConflictList({ entity, conflicts, wording, ...choice }: ChoiceProps) {
  const { resolution, fallback, onResolve, readOnly } = choice
  return (
    <Frame conflicts={conflicts} wording={wording}>
      {conflicts.map((conflict) => {
        const key = plainText(conflict.key)
        const side = sideOf(resolution, { entity, key }) ?? fallback
        return (
          <ConflictRow
            key={key}
            {...{ entity, conflict, side, wording }}
            note={conflict.change === 'deleted' ? wording.deleted : wording.edited}
          >
            <Segmented
              aria-label={`${entity} ${key}`}
              value={side}
              readOnly={readOnly}
              onValueChange={(chosen) =>
                onResolve(withSide(resolution, { entity, key }, chosen, fallback))
              }
              options={wording.one}
            />
          </ConflictRow>
        )
      })}
    </Frame>
  )
}

/** Records that were in conflict, with what was chosen. */
export function DecidedConflicts({ entity, conflicts, wording }: Props) {
  const [page, setPage] = useState(0)
  const shown = conflicts.slice(page * SIZE, (page + 1) * SIZE)
  return (
    <>
      <Frame conflicts={shown} wording={wording}>
        {shown.map((conflict) => {
          const { key, change, decision } = conflict
          return (
            <ConflictRow
              key={plainText(key)}
              {...{ entity, conflict, wording }}
              side={decision}
              note={change === 'deleted' ? wording.wasDeleted[decision] : wording.wasEdited}
            >
              <Status tone="neutral" icon={decision === 'keep' ? PinIcon : CheckIcon}>
                {wording.chosen[decision]}
              </Status>
            </ConflictRow>
          )
        })}
      </Frame>
      <Pager
        aria-label={`Conflicts of ${entity}`}
        {...{ page, size: SIZE, total: conflicts.length }}
        onPage={setPage}
        text="conflicts"
      />
    </>
  )
}

const SIZE = 10

type FrameProps = Omit<Props, 'entity'> & { children: ReactNode }

const Frame = ({ conflicts, wording, children }: FrameProps) => (
  <div className="overflow-hidden rounded-md border bg-card">
    {conflicts.some(({ fields }) => fields.length > 0) && <ConflictHeader {...wording} />}
    <ul className="divide-y" aria-label="Conflicts">
      {children}
    </ul>
  </div>
)

type Conflict = FileLog['conflicts'][number]

type ConflictProps = {
  entity: string
  conflict: Conflict
  /** Which side stands; null: not chosen yet. */
  side: Side | null
  wording: Wording
  /** Shown where there are no fields to compare. */
  note: string
  /** The choice, or what was chosen. */
  children: ReactNode
}

const COLUMNS = 'sm:grid-cols-[minmax(5rem,9rem)_repeat(3,minmax(0,1fr))]'

/** A record in conflict: each disputed field as it is here, as it was, and as the other side has it. */
function ConflictRow({ entity, conflict, side, wording, note, children }: ConflictProps) {
  const { key, fields } = conflict
  const columns = useQuery({ ...columnsOptions(entity), retry: false }).data?.data ?? NONE
  return (
    <li className="grid gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="mr-auto min-w-0 text-[13px] break-words">
          <RecordHeading {...{ entity, values: keyValues(key, columns), name: plainText(key) }} />
        </p>
        {children}
      </div>
      {fields.length === 0 ? (
        <p className="text-xs text-muted-foreground">{note}</p>
      ) : (
        <dl className="grid gap-y-2 text-xs sm:gap-y-1">
          {fields.map(({ field, ours: current, base, theirs: incoming }) => (
            <div key={field} className={cn('grid gap-x-3 gap-y-0.5', COLUMNS)}>
              <dt className="truncate font-medium text-muted-foreground sm:leading-5" title={field}>
                {fieldLabel(columns.find(({ name }) => name === field) ?? { name: field })}
              </dt>
              <Value label={wording.current} value={current} stands={side === 'keep'} />
              <Value label={wording.base} value={base} />
              <Value label={wording.incoming} value={incoming} stands={side === 'take'} />
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

const NONE: readonly ColumnDescription[] = []

/** Names the columns of the rows below; each value says it too where they are stacked. */
const ConflictHeader = ({ current, base, incoming }: Wording) => (
  <div
    aria-hidden
    className={cn(
      'hidden gap-x-3 border-b bg-muted/40 px-3 py-1.5 text-xs text-muted-foreground sm:grid',
      COLUMNS,
    )}
  >
    <span>Field</span>
    <span>{current}</span>
    <span>{base}</span>
    <span>{incoming}</span>
  </div>
)

type ValueProps = { label: string; value: unknown; stands?: boolean }

function Value({ label, value, stands = false }: ValueProps) {
  const isEmpty = value === null || value === undefined || value === ''
  return (
    <dd className="flex min-w-0 items-start gap-2">
      <span className="w-16 shrink-0 leading-5 text-muted-foreground sm:sr-only">{label}</span>
      <span
        className={cn(
          'line-clamp-4 min-w-0 rounded font-mono leading-5 break-words whitespace-pre-wrap',
          stands && 'bg-success-soft px-1 text-success sm:-mx-1',
        )}
      >
        {isEmpty ? <i>empty</i> : plainText(value)}
      </span>
      {stands && <span className="sr-only">, chosen</span>}
    </dd>
  )
}
