'use client'
import type { MouseEvent } from 'react'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { cn } from '@/components/ui/cn'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'

type Props = {
  record: EntityRecord
  columns: ColumnDescription[]
  selection: RowSelection
  onOpen: (id: string) => void
}

/** A record in a cell: a click opens it, with Ctrl, ⌘ or Shift it selects. The keyboard has the list of the day. */
export function EventButton({ record, columns, selection, onOpen }: Props) {
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
