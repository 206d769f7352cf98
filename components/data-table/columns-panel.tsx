import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { Select } from '@/components/ui/select'
import { type Column, moved, visibleColumns } from './column'
import type { ListState } from './use-list-state'
import { type Density, useTableLayout } from './use-table-layout'

type Props<Row> = { columns: readonly Column<Row>[]; list: ListState; layoutKey: string }

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

/** The columns in order, those shown first. */
export default function ColumnsPanel<Row>({ columns, list, layoutKey }: Props<Row>) {
  const layout = useTableLayout(layoutKey)
  const shown = visibleColumns(columns, list.cols)
  const ids = shown.map(({ id }) => id)
  const hidden = columns.filter(({ id }) => !ids.includes(id))
  const toggle = (id: string, on: boolean) =>
    list.setColumns(on ? [...ids, id] : ids.filter((each) => each !== id))
  return (
    <>
      <ul className="grid max-h-80 gap-px overflow-y-auto p-0.5">
        {[...shown, ...hidden].map((column) => (
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
      <div className="min-w-0 flex-1 truncate" title={column.hint}>
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
