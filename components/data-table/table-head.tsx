'use client'
import { Checkbox } from '@/components/ui/checkbox'
import { type Column, DEFAULT_WIDTH, moved } from './column'
import { HeaderCell } from './header-cell'
import type { ListState } from './use-list-state'
import type { RowSelection } from './use-row-selection'
import type { TableLayout } from './use-table-layout'

type Props<Row> = {
  columns: readonly Column<Row>[]
  list: ListState
  layout: TableLayout
  selection?: RowSelection
  /** Of the rows of the page, in order. */
  rowIds: readonly string[]
  hasActions: boolean
}

const SELECT_WIDTH = 40
const ACTIONS_WIDTH = 48

const widthOf = <Row,>({ id, width = DEFAULT_WIDTH }: Column<Row>, { widths }: TableLayout) =>
  widths[id] ?? width

/** The width of all columns, in pixels. */
export function tableWidth<Row>(props: Omit<Props<Row>, 'list' | 'rowIds'>): number {
  const { columns, layout, selection, hasActions } = props
  const own = columns.reduce((sum, column) => sum + widthOf(column, layout), 0)
  return own + (selection ? SELECT_WIDTH : 0) + (hasActions ? ACTIONS_WIDTH : 0)
}

/** The widths of columns and their headings: sorted, moved and resized there. */
export function TableHead<Row>(props: Props<Row>) {
  const { columns, list, layout, selection, rowIds, hasActions } = props
  const ids = columns.map(({ id }) => id)
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: SELECT_WIDTH }} />}
        {columns.map((column) => (
          <col key={column.id} data-column={column.id} style={{ width: widthOf(column, layout) }} />
        ))}
        {hasActions && <col style={{ width: ACTIONS_WIDTH }} />}
      </colgroup>
      <thead>
        <tr>
          {selection && <SelectPage selection={selection} ids={rowIds} />}
          {columns.map((column, index) => (
            <HeaderCell
              key={column.id}
              column={column as Column<unknown>}
              list={list}
              width={widthOf(column, layout)}
              onResize={(width) => layout.setWidth(column.id, width)}
              onMoveHere={(id) => list.setColumns(moved(ids, id, index))}
            />
          ))}
          {hasActions && (
            <th scope="col" className="sticky top-0 right-0 z-20 border-b bg-card">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  )
}

/** The box that selects the page. */
function SelectPage({ selection, ids }: { selection: RowSelection; ids: readonly string[] }) {
  const chosen = ids.filter((id) => selection.has(id)).length
  return (
    <th scope="col" className="sticky top-0 z-10 border-b bg-card px-3 text-left">
      <Checkbox
        aria-label="Select all on this page"
        checked={ids.length > 0 && chosen === ids.length}
        indeterminate={chosen > 0 && chosen < ids.length}
        disabled={ids.length === 0}
        onCheckedChange={selection.togglePage}
      />
    </th>
  )
}
