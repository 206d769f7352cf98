'use client'
import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react'
import { fieldLabel } from '@/components/data-table/field-label'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { formatCount } from '@/components/ui/number'
import { monthName } from './day-names'
import type { DisplayProps } from './display-props'
import { MAX_SHOWN } from './display-search'
import { shiftMonth } from './month'
import { dateField, dateFields } from './supported'

type Props = DisplayProps & { month: string; today: string }

/** Which month it is, the way to others, and the field whose days are shown. */
export function CalendarHeader({ columns, list, rows, total, month, today }: Props) {
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
