'use client'
import { useState } from 'react'
import { TableMessage } from '@/components/data-table/table-message'
import { useTimeZone } from '@/components/ui/use-time-zone'
import type { EntityRecord } from '../types'
import { CalendarHeader } from './calendar-header'
import { DayDialog } from './day-dialog'
import type { DisplayProps } from './display-props'
import { dayOf, monthOf } from './month'
import { MonthGrid } from './month-grid'
import { dateField } from './supported'

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
