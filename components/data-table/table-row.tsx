'use client'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import type { Column } from './column'
import type { Density } from './use-table-layout'

type Props = {
  id: string
  name: string
  row: unknown
  index: number
  columns: Column<unknown>[]
  /** Of the columns: a new one draws the row anew. */
  signature: string
  density: Density
  tabbable: boolean
  selected: boolean
  onToggle?: (id: string, range: boolean) => void
  onOpen?: (row: unknown) => void
  onFocus: (index: number) => void
  actions?: (row: unknown) => ReactNode
}

/** Opens with a click or Enter, is selected with Space; Shift makes a range. */
export function TableRow(props: Props) {
  const { id, name, row, index, columns, density, selected, onToggle, onOpen, actions } = props
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && onOpen) onOpen(row)
    else if (event.key === ' ' && onToggle) onToggle(id, event.shiftKey)
    else if (event.shiftKey && event.key.startsWith('Arrow') && onToggle) onToggle(id, false)
    else return
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    if (!onOpen || isControl(event.target) || hasSelectedText()) return
    onOpen(row)
  }
  return (
    <tr
      tabIndex={props.tabbable ? 0 : -1}
      onFocus={() => props.onFocus(index)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      // Shift makes a range of rows here, not of letters.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className={cn(
        'group/row focus-visible:-outline-offset-2',
        density === 'compact' ? 'h-7' : 'h-9',
        selected ? 'bg-primary-soft/60' : 'hover:bg-accent/50',
        onOpen && 'cursor-pointer',
      )}
    >
      {onToggle && (
        <td className="border-b px-3">
          <Checkbox
            aria-label={`Select ${name}`}
            checked={selected}
            onCheckedChange={(_, { withShift }) => onToggle(id, withShift)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-field={column.id}
          className={cn('truncate border-b px-3', column.align === 'end' && 'text-right')}
        >
          {column.cell(row)}
        </td>
      ))}
      {actions && (
        <td className="sticky right-0 border-b bg-card px-2 text-right">{actions(row)}</td>
      )}
    </tr>
  )
}

const isControl = (target: EventTarget) =>
  (target as HTMLElement).closest('a,button,input,label,[role="checkbox"],[role="menuitem"]') !==
  null

// Whoever drags over a value wants to copy it, not to open the row.
const hasSelectedText = () => (window.getSelection()?.toString() ?? '') !== ''
