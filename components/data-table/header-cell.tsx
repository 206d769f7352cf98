'use client'
import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import type { DragEvent, KeyboardEvent } from 'react'
import { cn } from '@/components/ui/cn'
import type { Column } from './column'
import { clampWidth, ResizeHandle, stepOf } from './resize-handle'
import type { ListState } from './use-list-state'

type Props = {
  column: Column<unknown>
  list: ListState
  width: number
  onResize: (width: number) => void
  /** The column `id` was dropped on this one. */
  onMoveHere: (id: string) => void
}

const DRAGGED = 'application/x-engine-column'

/** A heading that sorts on a click (with Shift: by one column more), can be dragged and resized (Shift with an arrow key). */
export function HeaderCell({ column, list, width, onResize, onMoveHere }: Props) {
  const place = list.sort.findIndex(({ field }) => field === column.id)
  const direction = list.sort[place]?.direction
  const onDrop = (event: DragEvent) => {
    const id = event.dataTransfer.getData(DRAGGED)
    if (id && id !== column.id) onMoveHere(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? stepOf(event.key) : undefined
    if (step === undefined) return
    event.preventDefault()
    onResize(clampWidth(width + step))
  }
  return (
    <th
      scope="col"
      tabIndex={column.sortable === false ? -1 : undefined}
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, column.id)}
      onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={onDrop}
      title={column.hint}
      className={cn(
        'sticky top-0 h-9 border-b bg-card p-0 text-left text-xs font-medium text-muted-foreground',
        column.sticky ? 'left-0 z-20 shadow-[inset_-1px_0_var(--border)]' : 'z-10',
      )}
    >
      {column.sortable === false ? (
        <span className={cn('block truncate px-3', column.align === 'end' && 'text-right')}>
          {column.header}
        </span>
      ) : (
        <button
          type="button"
          onClick={(event) => list.toggleSort(column.id, event.shiftKey)}
          onKeyDown={onKeyDown}
          className={cn(
            'flex h-9 w-full items-center gap-1 px-3 hover:text-foreground focus-visible:-outline-offset-2',
            column.align === 'end' && 'justify-end',
            direction && 'text-foreground',
          )}
        >
          <span className="truncate">{column.header}</span>
          {direction && <Mark direction={direction} place={place} of={list.sort.length} />}
        </button>
      )}
      <ResizeHandle label={column.header} width={width} onResize={onResize} />
    </th>
  )
}

function Mark({ direction, place, of }: { direction: 'asc' | 'desc'; place: number; of: number }) {
  const Icon = direction === 'asc' ? ArrowUpIcon : ArrowDownIcon
  return (
    <span className="flex shrink-0 items-center text-primary">
      <Icon aria-hidden className="size-3" />
      {of > 1 && (
        <span className="text-[10px]">
          <span className="sr-only">sorted, place </span>
          {place + 1}
        </span>
      )}
    </span>
  )
}
