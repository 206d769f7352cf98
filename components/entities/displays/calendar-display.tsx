import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react'
import { useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { TableMessage } from '@/components/data-table/table-message'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Dialog } from '@/components/ui/dialog'
import { NativeSelect } from '@/components/ui/native-select'
import { formatCount } from '@/components/ui/number'
import { useTimeZone } from '@/components/ui/use-time-zone'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'
import { MAX_SHOWN } from './display-search'
import { monthOf, shiftMonth } from './month'
import { MonthGrid } from './month-grid'
import { dayName, dayOf, monthName } from './month-words'
import { type DisplayProps, dateField, dateFields } from './supported'

/** Records on the days of a month, by a field with a date or a time (of the reader's zone). */
export default function CalendarDisplay(props: DisplayProps) {
  const { columns, list, rows, loading } = props
  const zone = useTimeZone()
  const [opened, setOpened] = useState<string | null>(null)
  const field = dateField(columns, list.by)
  const byDay = groupByDay(rows, (record) => dayOf(record[field?.name ?? ''], zone))
  const today = dayOf(new Date().toISOString(), zone) ?? ''
  return (
    <div
      className="flex min-h-96 flex-1 flex-col overflow-auto rounded-lg border bg-card"
      aria-busy={loading.isFetching}
    >
      <CalendarHeader {...props} month={monthOf(list.month)} today={today} />
      {loading.error ? (
        <TableMessage {...props} />
      ) : (
        <MonthGrid
          {...props}
          month={monthOf(list.month)}
          today={today}
          byDay={byDay}
          onOpenDay={setOpened}
        />
      )}
      {opened && (
        <DayDialog
          {...props}
          day={opened}
          records={byDay.get(opened) ?? []}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

function groupByDay(
  rows: readonly EntityRecord[],
  dayOfRecord: (record: EntityRecord) => string | null,
): Map<string, EntityRecord[]> {
  const days = new Map<string, EntityRecord[]>()
  for (const record of rows) {
    const day = dayOfRecord(record)
    if (day) days.set(day, [...(days.get(day) ?? []), record])
  }
  return days
}

type Props = DisplayProps & { month: string; today: string }

/** Which month it is, the way to others, and the field whose days are shown. */
function CalendarHeader({ columns, list, rows, total, month, today }: Props) {
  const fields = dateFields(columns)
  const go = (by: number) => list.setMonth(shiftMonth(month, by))
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2">
      <div className="flex items-center gap-1">
        <Button size="icon-sm" aria-label="Previous month" onClick={() => go(-1)}>
          <ChevronLeftIcon aria-hidden />
        </Button>
        <Button size="icon-sm" aria-label="Next month" onClick={() => go(1)}>
          <ChevronRightIcon aria-hidden />
        </Button>
        <Button
          size="sm"
          disabled={today.startsWith(month)}
          onClick={() => list.setMonth(today.slice(0, 7))}
        >
          Today
        </Button>
      </div>
      <h2 aria-live="polite" className="font-medium">
        {monthName(month)}
      </h2>
      {rows.length >= MAX_SHOWN && (
        <p role="status" className="text-[13px] text-warning">
          The first {formatCount(MAX_SHOWN)}
          {total !== null && ` of ${formatCount(total)}`} records are shown; a filter shows others.
        </p>
      )}
      {fields.length > 1 && (
        // biome-ignore lint/a11y/noLabelWithoutControl: NativeSelect is the control
        <label className="ml-auto flex items-center gap-2 text-[13px] text-muted-foreground">
          <span className="max-sm:sr-only">By</span>
          <NativeSelect
            value={dateField(columns, list.by)?.name ?? ''}
            onValueChange={list.setBy}
            options={fields.map((field) => ({ value: field.name, label: fieldLabel(field) }))}
          />
        </label>
      )}
    </div>
  )
}

type DayDialogProps = {
  day: string
  records: readonly EntityRecord[]
  columns: ColumnDescription[]
  selection: RowSelection
  onOpen: (id: string) => void
  onClose: () => void
}

/** All records of a day, to open and to select. */
function DayDialog({ day, records, columns, selection, onOpen, onClose }: DayDialogProps) {
  return (
    <Dialog
      size="sm"
      onClose={onClose}
      title={dayName(day)}
      description={records.length === 1 ? '1 record' : `${records.length} records`}
    >
      <ul className="-mx-2 grid">
        {records.map((record) => {
          const { persistenceId: id } = record
          const title = titleOf(record, columns)
          return (
            <li key={id} className="flex min-w-0 items-center gap-2 pl-2">
              <Checkbox
                aria-label={`Select ${title}`}
                checked={selection.has(id)}
                onCheckedChange={() => selection.toggle(id)}
              />
              <Button
                variant="ghost"
                className="min-w-0 flex-1 justify-start"
                onClick={() => {
                  onClose()
                  onOpen(id)
                }}
              >
                <span className="truncate">{title}</span>
              </Button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
