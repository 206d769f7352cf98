import { Menu } from '@base-ui/react/menu'
import {
  ArrowDownIcon,
  ArrowUpIcon,
  CopyIcon,
  EyeOffIcon,
  ListFilterIcon,
  ListXIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListState } from '@/components/data-table/use-list-state'
import { itemClass, popupClass } from '@/components/ui/cn'
import { toast } from '@/components/ui/toast'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { shownAtFirst } from './entity-search'
import { isSortable } from './place-sort'
import type { ColumnDescription } from './types'
import { conditionFor } from './value-condition'

/** A cell, where on the screen it was pressed, and what had the focus then. */
export type Cell = {
  column: ColumnDescription
  value: ExactJson
  x: number
  y: number
  origin: HTMLElement | null
}

type Props = {
  cell: Cell
  list: ListState
  columns: ColumnDescription[]
  onClose: () => void
}

export default function CellMenuPopup({ cell, list, columns, onClose }: Props) {
  const { x, y } = cell
  const anchor = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      {/* In the page's landmark: a menu is no landmark of its own. */}
      <Menu.Portal container={document.getElementById('content')}>
        <Menu.Positioner anchor={anchor} align="start" sideOffset={2} className="z-50">
          <Menu.Popup
            className={`${popupClass} min-w-52 max-w-80`}
            aria-label="Cell actions"
            finalFocus={() => cell.origin}
          >
            <Items cell={cell} list={list} columns={columns} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Items({ cell: { column, value }, list, columns }: Omit<Props, 'onClose'>) {
  const { name } = column
  const text = plainText(value)
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
      {isSortable(column, list.filter) && (
        <>
          <Separator />
          <Item onClick={() => list.setSort([{ field: name, direction: 'asc' }])}>
            <ArrowUpIcon aria-hidden /> Sort ascending
          </Item>
          <Item onClick={() => list.setSort([{ field: name, direction: 'desc' }])}>
            <ArrowDownIcon aria-hidden /> Sort descending
          </Item>
        </>
      )}
      <Separator />
      <Item onClick={() => copy(text)}>
        <CopyIcon aria-hidden /> Copy the value
      </Item>
      <Item onClick={hide}>
        <EyeOffIcon aria-hidden /> Hide the column
      </Item>
    </>
  )
}

const copy = (text: string) =>
  void navigator.clipboard.writeText(text).then(() => toast.success('Copied'))

const Separator = () => <Menu.Separator className="-mx-1 my-1 h-px bg-border" />

const Item = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Menu.Item className={itemClass} onClick={onClick}>
    {children}
  </Menu.Item>
)
