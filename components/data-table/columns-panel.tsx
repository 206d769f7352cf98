import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { type Column, moved, visibleColumns } from './column'
import type { ChosenColumns } from './columns-menu'
import type { ListState } from './use-list-state'
import { type Density, useTableLayout } from './use-table-layout'

type Props<Row> = {
  columns: readonly Column<Row>[]
  list: ListState
  layoutKey: string
  further?: (chosen: ChosenColumns) => ReactNode
}

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

/** The columns in order, those shown first. */
export default function ColumnsPanel<Row>({ columns, list, layoutKey, further }: Props<Row>) {
  const [text, setText] = useState('')
  const sought = text.trim().toLowerCase()
  const layout = useTableLayout(layoutKey)
  const shown = visibleColumns(columns, list.cols)
  const ids = shown.map(({ id }) => id)
  const hidden = columns.filter(({ id }) => !ids.includes(id))
  const found = [...shown, ...hidden].filter((column) => isSought(column, sought))
  const toggle = (id: string, on: boolean) =>
    list.setColumns(on ? [...ids, id] : ids.filter((each) => each !== id))
  return (
    <>
      {(further || columns.length > FEW) && (
        <Input
          type="search"
          aria-label="Find a column"
          placeholder="Find a column"
          className="mb-2 h-7 text-[13px]"
          value={text}
          onValueChange={setText}
        />
      )}
      <div className="group/found max-h-80 overflow-y-auto p-0.5">
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
          {found.map((column) => (
            <ColumnRow
              key={column.id}
              column={column}
              place={ids.indexOf(column.id)}
              last={ids.length - 1}
              onToggle={toggle}
              onMove={(to) => list.setColumns(moved(ids, column.id, to))}
            />
          ))}
        </ul>
        {further?.({ ids, sought, onToggle: toggle })}
        <p className="py-1 text-sm text-muted-foreground group-has-[li]/found:hidden">
          No column matches
        </p>
      </div>
      <div className="mt-3 grid gap-2 border-t pt-3">
        <Select<Density>
          aria-label="Height of rows"
          size="sm"
          value={layout.density}
          onValueChange={layout.setDensity}
          options={DENSITIES}
        />
        <Button
          size="sm"
          onClick={() => {
            list.setColumns(null)
            layout.resetWidths()
          }}
        >
          Reset columns and widths
        </Button>
      </div>
    </>
  )
}

/** So many are seen at a glance. */
const FEW = 10

const isSought = ({ id, header }: Column<never>, sought: string): boolean =>
  `${header} ${id}`.toLowerCase().includes(sought)

type RowProps<Row> = {
  column: Column<Row>
  /** Among the shown ones; -1 when hidden. */
  place: number
  last: number
  onToggle: (id: string, on: boolean) => void
  onMove: (to: number) => void
}

function ColumnRow<Row>({ column, place, last, onToggle, onMove }: RowProps<Row>) {
  const { id, header, fixed } = column
  return (
    <li className="flex min-h-7 items-center gap-1">
      <div className="min-w-0 flex-1 wrap-anywhere" title={column.hint}>
        <LabelledCheckbox
          label={header}
          checked={place >= 0}
          disabled={fixed || (place >= 0 && last === 0)}
          onCheckedChange={(on) => onToggle(id, on)}
        />
      </div>
      {place >= 0 && (
        <>
          <IconButton
            icon={ArrowUpIcon}
            label={`Move ${header} to the left`}
            disabled={place === 0}
            onClick={() => onMove(place - 1)}
          />
          <IconButton
            icon={ArrowDownIcon}
            label={`Move ${header} to the right`}
            disabled={place === last}
            onClick={() => onMove(place + 1)}
          />
        </>
      )}
    </li>
  )
}
