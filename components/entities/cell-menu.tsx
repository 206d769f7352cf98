'use client'
import { ContextMenu } from '@base-ui/react/context-menu'
import {
  ArrowDownIcon,
  ArrowUpIcon,
  CopyIcon,
  EyeOffIcon,
  ListFilterIcon,
  ListXIcon,
} from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import type { ListState } from '@/components/data-table/use-list-state'
import { itemClass, popupClass } from '@/components/ui/popup'
import type { Json } from '@/lib/json'
import { shownAtFirst } from './entity-search'
import type { ColumnDescription, EntityRecord } from './types'
import { conditionFor } from './value-condition'

type Props = {
  list: ListState
  columns: ColumnDescription[]
  rows: readonly EntityRecord[]
  children: ReactNode
}

type Cell = { column: ColumnDescription; value: Json }

/** Right click (or the menu key) on a cell: filter by its value, sort, copy, hide. */
export function CellMenu({ list, columns, rows, children }: Props) {
  const [cell, setCell] = useState<Cell | null>(null)
  // In the page's landmark: a menu is no landmark of its own.
  const [content, setContent] = useState<HTMLElement | null>(null)
  const onContextMenu = (event: MouseEvent) => {
    const found = (event.target as HTMLElement).closest<HTMLElement>('td[data-field]')
    const row = found?.closest('tr')
    const record = row ? rows[row.sectionRowIndex] : undefined
    const column = columns.find(({ name }) => name === found?.dataset.field)
    setCell(record && column ? { column, value: record[column.name] ?? null } : null)
    setContent(document.getElementById('content'))
    // Not on a cell: the browser's own menu.
    if (!record || !column) event.stopPropagation()
  }
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger
        className="flex min-h-0 flex-1 flex-col"
        onContextMenuCapture={onContextMenu}
      >
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal container={content}>
        <ContextMenu.Positioner className="z-50">
          <ContextMenu.Popup className={`${popupClass} min-w-52 max-w-80`}>
            {cell && <Items cell={cell} list={list} columns={columns} />}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

type ItemsProps = { cell: Cell; list: ListState; columns: ColumnDescription[] }

function Items({ cell: { column, value }, list, columns }: ItemsProps) {
  const { name } = column
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const hide = () =>
    list.setColumns((list.cols ?? shownAtFirst(columns)).filter((each) => each !== name))
  return (
    <>
      <Item onClick={() => list.addCondition(conditionFor(column, value, true))}>
        <ListFilterIcon aria-hidden /> Only with this value
      </Item>
      <Item onClick={() => list.addCondition(conditionFor(column, value, false))}>
        <ListXIcon aria-hidden /> Without this value
      </Item>
      <ContextMenu.Separator className="-mx-1 my-1 h-px bg-border" />
      <Item onClick={() => list.setSort([{ field: name, direction: 'asc' }])}>
        <ArrowUpIcon aria-hidden /> Sort ascending
      </Item>
      <Item onClick={() => list.setSort([{ field: name, direction: 'desc' }])}>
        <ArrowDownIcon aria-hidden /> Sort descending
      </Item>
      <ContextMenu.Separator className="-mx-1 my-1 h-px bg-border" />
      <Item
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => toast.success('Copied'))
        }}
      >
        <CopyIcon aria-hidden /> Copy the value
      </Item>
      <Item onClick={hide}>
        <EyeOffIcon aria-hidden /> Hide the column
      </Item>
    </>
  )
}

const Item = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <ContextMenu.Item className={itemClass} onClick={onClick}>
    {children}
  </ContextMenu.Item>
)
