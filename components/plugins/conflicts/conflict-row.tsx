import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { plainText } from '@/lib/values/exact-json'
import type { FileLog } from '../types'
import type { Side } from './resolution'
import type { Wording } from './wording'

export type Conflict = FileLog['conflicts'][number]

type Props = {
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
export function ConflictRow({ entity, conflict, side, wording, note, children }: Props) {
  const { key, fields } = conflict
  return (
    <li className="grid gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="mr-auto min-w-0 text-[13px] break-words">
          {entity} <span className="font-mono text-xs break-all">{plainText(key)}</span>
        </p>
        {children}
      </div>
      {fields.length === 0 ? (
        <p className="text-xs text-muted-foreground">{note}</p>
      ) : (
        <dl className="grid gap-y-2 text-xs sm:gap-y-1">
          {fields.map(({ field, ours, base, theirs }) => (
            <div key={field} className={cn('grid gap-x-3 gap-y-0.5', COLUMNS)}>
              <dt className="truncate font-medium text-muted-foreground sm:leading-5" title={field}>
                {field}
              </dt>
              <Value label={wording.ours} value={ours} stands={side === 'keep'} />
              <Value label={wording.base} value={base} />
              <Value label={wording.theirs} value={theirs} stands={side === 'take'} />
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

/** Names the columns of the rows below; each value says it too where they are stacked. */
export const ConflictHeader = ({ ours, base, theirs }: Wording) => (
  <div
    aria-hidden
    className={cn(
      'hidden gap-x-3 border-b bg-muted/40 px-3 py-1.5 text-xs text-muted-foreground sm:grid',
      COLUMNS,
    )}
  >
    <span>Field</span>
    <span>{ours}</span>
    <span>{base}</span>
    <span>{theirs}</span>
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
        {isEmpty ? <span className="opacity-70">empty</span> : plainText(value)}
      </span>
      {stands && <span className="sr-only">, chosen</span>}
    </dd>
  )
}
