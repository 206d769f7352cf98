'use client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { EntityRecord } from '../types'
import { DayCell } from './day-cell'
import { dayName, monthName, WEEKDAYS } from './day-names'
import type { DisplayProps } from './display-props'
import { dayAfterKey, daysOf } from './month'

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
