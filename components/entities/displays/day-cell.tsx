'use client'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'
import type { EntityRecord } from '../types'
import type { DisplayProps } from './display-props'
import { EventButton } from './event-button'

/** Records of a day that have room in its cell. */
const MAX_EVENTS = 3

type Props = Omit<DisplayProps, 'rows'> & {
  day: string
  name: string
  records: readonly EntityRecord[]
  isToday: boolean
  isOutside: boolean
  tabbable: boolean
  onFocus: () => void
  onOpenDay: (day: string) => void
}

/** A day with the first of its records; on a narrow screen with their number. */
export function DayCell(props: Props) {
  const { day, name, records, isToday, isOutside, tabbable, onFocus, onOpenDay } = props
  const hidden = records.length > MAX_EVENTS ? records.length - MAX_EVENTS + 1 : 0
  const shown = records.slice(0, records.length - hidden)
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid that takes the focus
      role="gridcell"
      data-day={day}
      tabIndex={tabbable ? 0 : -1}
      aria-label={`${name}, ${records.length === 1 ? '1 record' : `${formatCount(records.length)} records`}`}
      aria-current={isToday ? 'date' : undefined}
      onFocus={onFocus}
      className={cn(
        'h-24 border-b p-1 align-top not-last:border-r focus-visible:-outline-offset-2',
        isOutside && 'bg-muted/50',
      )}
    >
      <span
        className={cn(
          'tabular mb-1 inline-grid h-5 min-w-5 place-items-center rounded-full px-1 text-xs',
          isToday ? 'bg-primary font-medium text-primary-foreground' : 'text-muted-foreground',
        )}
      >
        {Number(day.slice(8))}
      </span>
      <span className="grid gap-0.5 max-sm:hidden">
        {shown.map((record) => (
          <EventButton key={record.persistenceId} {...props} record={record} />
        ))}
        {hidden > 0 && <More text={`and ${formatCount(hidden)} more`} {...{ day, onOpenDay }} />}
      </span>
      {records.length > 0 && (
        <span className="grid sm:hidden">
          <More text={formatCount(records.length)} {...{ day, onOpenDay }} />
        </span>
      )}
    </td>
  )
}

type MoreProps = { text: string; day: string; onOpenDay: (day: string) => void }

const More = ({ text, day, onOpenDay }: MoreProps) => (
  <button
    type="button"
    tabIndex={-1}
    className="truncate rounded px-1.5 text-left text-xs font-medium text-muted-foreground hover:bg-accent hover:text-foreground max-sm:text-center max-sm:text-primary"
    onClick={() => onOpenDay(day)}
  >
    {text}
  </button>
)
