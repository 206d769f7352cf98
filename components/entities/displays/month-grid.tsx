import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'
import { daysOf } from './month'
import { dayAfterKey, dayName, monthName, WEEKDAYS } from './month-words'
import type { DisplayProps } from './supported'

type Props = DisplayProps & {
  month: string
  today: string
  byDay: ReadonlyMap<string, EntityRecord[]>
  onOpenDay: (day: string) => void
}

/**
 * The weeks of a month as a grid with one Tab stop: arrows move by days and weeks, Home and End within the week,
 * Page Up and Page Down by months. Enter lists the records of the day.
 */
export function MonthGrid(props: Props) {
  const { month, today, byDay, list, onOpenDay } = props
  const days = daysOf(month)
  const [current, setCurrent] = useState<string | null>(null)
  const grid = useRef<HTMLTableElement>(null)
  const wanted = useRef<string | null>(null)
  const tabbable = current && days.includes(current) ? current : firstOf(days, month, today)
  // The day that a key led to may be of a month that was not shown before.
  useEffect(() => {
    if (!wanted.current) return
    dayElement(grid.current, wanted.current)?.focus()
    wanted.current = null
  })
  function onKeyDown(event: KeyboardEvent) {
    const { key, ctrlKey, metaKey, altKey } = event
    const isDay = (event.target as HTMLElement).dataset.day !== undefined
    if (!isDay || ctrlKey || metaKey || altKey) return
    const to = dayAfterKey(key, tabbable)
    if (to) {
      if (!days.includes(to) || key.startsWith('Page')) list.setMonth(to.slice(0, 7))
      wanted.current = to
      setCurrent(to)
    } else if (key === 'Enter' && byDay.has(tabbable)) onOpenDay(tabbable)
    else return
    event.preventDefault()
  }
  return (
    <table
      ref={grid}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the keys of a grid are those of no plain table
      role="grid"
      aria-label={`Calendar of ${monthName(month)}`}
      onKeyDown={onKeyDown}
      className="h-full w-full flex-1 table-fixed text-[13px]"
    >
      <thead>
        <tr>
          {WEEKDAYS.map(({ long, short }) => (
            <th
              key={long}
              scope="col"
              abbr={long}
              className="h-7 border-b px-2 text-left text-xs font-medium text-muted-foreground"
            >
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(days).map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                {...props}
                day={day}
                name={dayName(day)}
                records={byDay.get(day) ?? []}
                isToday={day === today}
                isOutside={!day.startsWith(month)}
                tabbable={day === tabbable}
                onFocus={() => setCurrent(day)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const firstOf = (days: readonly string[], month: string, today: string) =>
  days.includes(today) ? today : `${month}-01`

const dayElement = (grid: HTMLElement | null, day: string) =>
  grid?.querySelector<HTMLElement>(`[data-day="${day}"]`)

const weeksOf = (days: readonly string[]): string[][] =>
  Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))

/** Records of a day that have room in its cell. */
const MAX_EVENTS = 3

type DayCellProps = Omit<DisplayProps, 'rows'> & {
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
function DayCell(props: DayCellProps) {
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

type EventButtonProps = {
  record: EntityRecord
  columns: ColumnDescription[]
  selection: RowSelection
  onOpen: (id: string) => void
}

/** A record in a cell: a click opens it, with Ctrl, ⌘ or Shift it selects. The keyboard has the list of the day. */
function EventButton({ record, columns, selection, onOpen }: EventButtonProps) {
  const id = record.persistenceId
  const title = titleOf(record, columns)
  const onClick = (event: MouseEvent) =>
    event.ctrlKey || event.metaKey || event.shiftKey ? selection.toggle(id) : onOpen(id)
  return (
    <button
      type="button"
      tabIndex={-1}
      title={title}
      aria-pressed={selection.has(id)}
      onClick={onClick}
      className={cn(
        'truncate rounded border-l-2 border-primary px-1.5 py-px text-left text-xs',
        selection.has(id)
          ? 'bg-primary text-primary-foreground'
          : 'bg-primary-soft/70 hover:bg-primary-soft',
      )}
    >
      {title}
    </button>
  )
}
