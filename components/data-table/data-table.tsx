import dynamic from 'next/dynamic'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cn } from '@/components/ui/cn'
import { toast } from '@/components/ui/toast'
import { useHandler } from '@/components/ui/use-handler'
import type { ApiError } from '@/lib/http/client'
import { type Column, visibleColumns } from './column'
import { copiedText } from './copy-rows'
import type { SortKey } from './list-params'
import { keepOneTabStop, moveFocus } from './move-focus'
import { ACTIONS_WIDTH, TableHead, tableWidth } from './table-head'
import { SkeletonRows, TableRow } from './table-row'
import type { ListState } from './use-list-state'
import type { RowSelection } from './use-row-selection'
import { useTableLayout } from './use-table-layout'

const TableMessage = dynamic(() => import('./table-message').then((file) => file.TableMessage))

/** What React Query says about the rows. */
export type Loading = {
  isPending: boolean
  isFetching: boolean
  /** The rows are those of an earlier request. */
  isPlaceholderData?: boolean
  /** `paused`: the request waits for the connection. */
  fetchStatus?: string
  error: Error | ApiError | null
  refetch: () => unknown
}

type Props<Row> = {
  /** Name of the table, read by screen readers; also where its widths are kept. */
  label: string
  layoutKey: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Names a row: `Select Heathrow`. */
  rowName?: (row: Row) => string
  list: ListState
  loading: Loading
  /** `clicks`: of the pointer, none with the keyboard. */
  onOpen?: (row: Row, clicks?: number) => void
  onEdit?: (row: Row) => void
  /** The row whose panel is open. */
  openId?: string | null
  /** Rows of what is no longer there. */
  deleted?: ReadonlySet<string>
  /** The page that `onOpen` leads to: what opens the row is then a link. The same function from render to render. */
  href?: (row: Row) => string
  selection?: RowSelection
  /** Actions at the end of a row; the same function from render to render, as are the columns. */
  rowActions?: (row: Row) => ReactNode
  /** Pixels of their column, for more than one button. */
  actionsWidth?: number
  /** Shown while there is nothing at all, filter or not. */
  empty: ReactNode
}

/** A table whose rows, order and filter live on the server. Rows take the keyboard as a list does. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowId, rowName = rowId, list, loading, selection } = props
  const { cols } = list
  const behind = useRowsBehind(list.sort, loading)
  const layout = useTableLayout(props.layoutKey)
  const shown = useMemo(() => visibleColumns(columns, cols), [columns, cols])
  const [current, setCurrent] = useState(0)
  const table = useRef<HTMLTableElement>(null)
  const actionsWidth = props.rowActions ? (props.actionsWidth ?? ACTIONS_WIDTH) : null
  const head = { columns: shown, layout, selection, actionsWidth }
  const span = shown.length + (selection ? 1 : 0) + (actionsWidth === null ? 0 : 1)
  const open = useHandler(props.onOpen)
  const edit = useHandler(props.onEdit)
  const hasRows = rows.length > 0
  // Controls in cells come and go with their contents.
  useLayoutEffect(() => {
    if (hasRows) keepOneTabStop(table.current)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    // Menus of a row are elsewhere in the page.
    if (!table.current?.contains(event.target as Node)) return
    if (event.key === 'Tab' && hasRows) keepOneTabStop(table.current)
    if (event.key === 'Escape' && selection) clearSelection(event, selection)
    if (event.key === 'f' && !event.ctrlKey && !event.metaKey && !event.defaultPrevented)
      openFilter(event, list)
    const move = moveFocus(event, table.current)
    const [from, to] = [move && rows[move.from], move && rows[move.to]]
    if (event.shiftKey && from && to && from !== to) selection?.extend(rowId(to), rowId(from))
  }
  return (
    <div
      className={cn(
        'relative min-w-0 overflow-auto rounded-lg border bg-card',
        hasRows ? 'flex-initial' : 'min-h-64 flex-1',
        rows.length > FEW_ROWS ? 'min-h-64' : hasRows && 'shrink-0',
      )}
      tabIndex={rows.length === 0 ? 0 : undefined}
      aria-busy={loading.isFetching}
    >
      {behind.isBehind && (
        <p role="status" className="sticky left-0 bg-warning-soft px-3 py-1.5 text-[13px]">
          These are the rows from before you went offline. What you asked for comes with the
          connection.
        </p>
      )}
      <FetchingLine active={loading.isFetching && !loading.isPending} />
      <table
        ref={table}
        aria-label={label}
        onKeyDown={onKeyDown}
        onCopy={(event) =>
          copy(event, { columns: shown, rows }, (row) => selection?.has(rowId(row)) ?? false)
        }
        className={cn('table-fixed text-[13px]', behind.isBehind && 'bg-muted')}
        style={{ width: tableWidth(head), minWidth: '100%' }}
      >
        <TableHead {...head} list={{ ...list, sort: behind.sort }} rowIds={rows.map(rowId)} />
        <tbody>
          {rows.map((row, index) => (
            <TableRow
              key={rowId(row)}
              id={rowId(row)}
              name={rowName(row)}
              row={row}
              index={index}
              columns={shown as Column<unknown>[]}
              density={layout.density}
              tabbable={index === Math.min(current, rows.length - 1)}
              isOpen={rowId(row) === props.openId}
              isDeleted={props.deleted?.has(rowId(row)) ?? false}
              selected={selection?.has(rowId(row)) ?? false}
              onToggle={selection?.toggle}
              onExtend={selection?.extend}
              onOpen={props.onOpen && (open as (row: unknown, clicks?: number) => void)}
              onEdit={props.onEdit && (edit as (row: unknown) => void)}
              href={props.href as ((row: unknown) => string) | undefined}
              onFocus={setCurrent}
              actions={props.rowActions as ((row: unknown) => ReactNode) | undefined}
            />
          ))}
          {rows.length === 0 && loading.isPending && (
            <SkeletonRows columns={span} density={layout.density} />
          )}
        </tbody>
      </table>
      {rows.length === 0 && !loading.isPending && (
        <TableMessage list={list} loading={loading} empty={props.empty} />
      )}
    </div>
  )
}

/** As many are lower than the frame of a table may become. */
const FEW_ROWS = 5

function clearSelection(event: KeyboardEvent, { ids, allMatching, clear }: RowSelection): void {
  if (!allMatching && ids.size === 0) return
  event.preventDefault()
  clear()
}

function openFilter(event: KeyboardEvent, { filterButton }: ListState): void {
  if (!filterButton.current) return
  event.preventDefault()
  filterButton.current.open()
}

type Shown<Row> = { columns: readonly Column<Row>[]; rows: readonly Row[] }

function copy<Row>(event: ClipboardEvent, shown: Shown<Row>, isSelected: (row: Row) => boolean) {
  const copied = copiedText(event.target as HTMLElement, shown, isSelected)
  if (!copied) return
  event.preventDefault()
  event.clipboardData.setData('text/plain', copied.text)
  toast.success(copied.rows > 1 ? `Copied ${copied.rows} rows` : 'Copied')
}

/** Shows that newer rows are loading while the old ones stay. */
const FetchingLine = ({ active }: { active: boolean }) => (
  <div aria-hidden className="sticky top-0 left-0 z-20 h-0">
    {active && <div className="h-0.5 w-full bg-primary/60 motion-safe:animate-pulse" />}
  </div>
)

/** Whether the request for other rows waits for the connection, and by what those that are shown are sorted. */
function useRowsBehind(sort: SortKey[], { fetchStatus, isPlaceholderData = false }: Loading) {
  const isBehind = fetchStatus === 'paused' && isPlaceholderData
  const [shown, setShown] = useState(sort)
  if (!isBehind && shown !== sort) setShown(sort)
  return { isBehind, sort: isBehind ? shown : sort }
}
