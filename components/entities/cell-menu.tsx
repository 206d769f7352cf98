'use client'
import dynamic from 'next/dynamic'
import { type MouseEvent, type ReactNode, useState } from 'react'
import type { ListState } from '@/components/data-table/use-list-state'
import type { useCellEditing } from './cell-editing/use-cell-editing'
import type { Cell } from './cell-menu-popup'
import type { ColumnDescription, EntityRecord } from './types'

const CellMenuPopup = dynamic(() => import('./cell-menu-popup'), { ssr: false })

type Props = {
  list: ListState
  columns: ColumnDescription[]
  rows: readonly EntityRecord[]
  /** Edits a cell. */
  cells: Pick<ReturnType<typeof useCellEditing>, 'onDoubleClick' | 'onKeyDownCapture'>
  children: ReactNode
}

/** Right click on a cell: filter by its value, sort, copy, hide. The record's panel offers the same. */
export function CellMenu({ list, columns, rows, cells, children }: Props) {
  const { onDoubleClick, onKeyDownCapture } = cells
  const [cell, setCell] = useState<Cell | null>(null)
  const onContextMenu = (event: MouseEvent) => {
    const found = cellAt(event, columns, rows)
    if (!found) return
    event.preventDefault()
    setCell(found)
  }
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      {...{ onContextMenu, onDoubleClick, onKeyDownCapture }}
    >
      {children}
      {cell && (
        <CellMenuPopup
          key={`${cell.x} ${cell.y}`}
          cell={cell}
          list={list}
          columns={columns}
          onClose={() => setCell(null)}
        />
      )}
    </div>
  )
}

function cellAt(
  { target, clientX: x, clientY: y }: MouseEvent,
  columns: ColumnDescription[],
  rows: readonly EntityRecord[],
): Cell | null {
  const row = (target as HTMLElement).closest('tr')
  // Shift+F10 on a row is about its first cell.
  const inside = (target as HTMLElement).closest<HTMLElement>('td[data-field]')
  const found = inside ?? (target === row ? row.querySelector<HTMLElement>('td[data-field]') : null)
  const record = row ? rows[row.sectionRowIndex] : undefined
  const column = columns.find(({ name }) => name === found?.dataset.field)
  const origin = document.activeElement as HTMLElement | null
  return record && column ? { column, value: record[column.name] ?? null, x, y, origin } : null
}
