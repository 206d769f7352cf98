import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import type { DragEvent, KeyboardEvent, PointerEvent } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { type Column, DEFAULT_WIDTH, MAX_WIDTH, MIN_WIDTH, moved } from './column'
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
  /** Pixels; null without actions. */
  actionsWidth: number | null
}

const SELECT_WIDTH = 40
/** For one button. */
export const ACTIONS_WIDTH = 48

const widthOf = <Row,>({ id, width = DEFAULT_WIDTH }: Column<Row>, { widths }: TableLayout) =>
  widths[id] ?? width

/** The width of all columns, in pixels. */
export function tableWidth<Row>(props: Omit<Props<Row>, 'list' | 'rowIds'>): number {
  const { columns, layout, selection, actionsWidth } = props
  const own = columns.reduce((sum, column) => sum + widthOf(column, layout), 0)
  return own + (selection ? SELECT_WIDTH : 0) + (actionsWidth ?? 0)
}

/** The widths of columns and their headings: sorted, moved and resized there. */
export function TableHead<Row>(props: Props<Row>) {
  const { columns, list, layout, selection, rowIds, actionsWidth } = props
  const ids = columns.map(({ id }) => id)
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: SELECT_WIDTH }} />}
        {columns.map((column) => (
          <col key={column.id} data-column={column.id} style={{ width: widthOf(column, layout) }} />
        ))}
        {actionsWidth !== null && <col style={{ width: actionsWidth }} />}
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
          {actionsWidth !== null && (
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

type HeaderCellProps = {
  column: Column<unknown>
  list: ListState
  width: number
  onResize: (width: number) => void
  /** The column `id` was dropped on this one. */
  onMoveHere: (id: string) => void
}

const DRAGGED = 'application/x-engine-column'

/** A heading that sorts on a click (with Shift: by one column more), can be dragged and resized (Shift with an arrow key). */
function HeaderCell({ column, list, width, onResize, onMoveHere }: HeaderCellProps) {
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
      // Without the name of the handle, which would be read with each cell.
      aria-label={column.header}
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

type StepOfProps = { label: string; width: number; onResize: (width: number) => void }

const KEY_STEP_PX = 16

/** By how much an arrow key makes a column wider. */
const stepOf = (key: string): number | undefined =>
  ({ ArrowLeft: -KEY_STEP_PX, ArrowRight: KEY_STEP_PX })[key]

const clampWidth = (value: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, value))

/** The edge of a column: dragged, moved with the arrow keys, reset with a double click. */
function ResizeHandle({ label, width, onResize }: StepOfProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key)
    if (step === undefined) return
    event.preventDefault()
    onResize(clampWidth(width + step))
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    const handle = event.currentTarget
    const startX = event.clientX
    handle.setPointerCapture(event.pointerId)
    const onMove = (move: globalThis.PointerEvent) =>
      onResize(clampWidth(width + move.clientX - startX))
    handle.addEventListener('pointermove', onMove)
    handle.addEventListener(
      'lostpointercapture',
      () => handle.removeEventListener('pointermove', onMove),
      {
        once: true,
      },
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be dragged with the keyboard
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={0}
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={onPointerDown}
      onDoubleClick={() => onResize(DEFAULT_WIDTH)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 right-0 w-2 cursor-col-resize touch-none after:absolute after:inset-y-2 after:right-0 after:w-px after:bg-border hover:after:bg-primary focus-visible:-outline-offset-2 focus-visible:after:bg-primary"
    />
  )
}
