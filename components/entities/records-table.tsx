import dynamic from 'next/dynamic'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { type Column, DEFAULT_WIDTH } from '@/components/data-table/column'
import { DataTable, type Loading } from '@/components/data-table/data-table'
import { fieldLabel } from '@/components/data-table/field-label'
import type { Condition } from '@/components/data-table/filter/condition'
import type { ListState } from '@/components/data-table/use-list-state'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { isNumberKind, isTextKind, isWholeKind } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'
import { useCellEditing } from './cell-editing/use-cell-editing'
import type { Cell } from './cell-menu-popup'
import { CellValue } from './cell-value'
import { inOrder, shownAtFirst } from './entity-search'
import { fieldHint } from './field-hint'
import type { NumberLook } from './number-looks'
import { isSortable } from './place-sort'
import { isRelated } from './related-columns'
import type { ColumnDescription, EntityRecord } from './types'

const CellEditor = dynamic(() => import('./cell-editing/cell-editor'), { ssr: false })

type Props = {
  entity: string
  layoutKey: string
  columns: ColumnDescription[]
  tableColumns: Column<EntityRecord>[]
  rows: EntityRecord[]
  list: ListState
  loading: Loading
  selection: RowSelection
  mayUpdate: boolean
  /** The record whose panel is open. */
  openId: string | null
  deleted: ReadonlySet<string>
  onOpen: (id: string) => void
  onEdit: ((id: string) => void) | undefined
  empty: ReactNode
}

/** The records as a table, whose cells are edited in place. */
export function RecordsTable(props: Props) {
  const { entity, columns, tableColumns, rows, list, mayUpdate, onOpen, onEdit } = props
  const cells = useCellEditing({ mayUpdate, onOpen: ({ persistenceId }) => onOpen(persistenceId) })
  return (
    <>
      <CellMenu {...{ list, columns, rows, cells }}>
        <DataTable<EntityRecord>
          label={`Records of ${entity}`}
          openId={props.openId}
          deleted={props.deleted}
          layoutKey={props.layoutKey}
          columns={tableColumns}
          rows={rows}
          rowId={idOf}
          list={list}
          loading={props.loading}
          selection={props.selection}
          onOpen={cells.open}
          onEdit={onEdit && (({ persistenceId }) => onEdit(persistenceId))}
          empty={props.empty}
        />
      </CellMenu>
      {cells.isUsed && (
        <CellEditor
          {...{ entity, columns, rows, mayUpdate }}
          cell={cells.cell}
          onEdit={cells.edit}
        />
      )}
    </>
  )
}

const idOf = ({ persistenceId }: EntityRecord) => persistenceId

const CellMenuPopup = dynamic(() => import('./cell-menu-popup'), { ssr: false })

type CellMenuProps = {
  list: ListState
  columns: ColumnDescription[]
  rows: readonly EntityRecord[]
  /** Edits a cell. */
  cells: Pick<ReturnType<typeof useCellEditing>, 'onDoubleClick' | 'onKeyDownCapture'>
  children: ReactNode
}

/** Right click on a cell: filter by its value, sort, copy, hide. The record's panel offers the same. */
function CellMenu({ list, columns, rows, cells, children }: CellMenuProps) {
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

/**
 * Table columns of an entity's fields; those beyond the first dozen wait to be chosen. `looks`: of `numberLooks`,
 * for the points of numbers to stand below each other.
 */
export function toTableColumns(
  columns: readonly ColumnDescription[],
  looks: Readonly<Record<string, NumberLook>> = {},
  filter: readonly Condition[] = [],
): Column<EntityRecord>[] {
  const first = new Set(shownAtFirst(columns))
  return inOrder(columns).map((column) => ({
    id: column.name,
    header: fieldLabel(column),
    hint: fieldHint(column),
    width: isRelated(column) ? Math.max(DEFAULT_WIDTH, widthOf(column)) : widthOf(column),
    // A key names the record, and a reference another one: they stand where names stand.
    align:
      isNumberKind(column.kind) &&
      !column.key &&
      !column.rules.reference &&
      !column.display?.choices
        ? 'end'
        : 'start',
    hidden: !first.has(column.name),
    sortable: isSortable(column, filter),
    text: (record) => plainText(record[column.name] ?? null),
    cell: (record) => (
      <CellValue
        value={record[column.name]}
        column={column}
        record={record}
        look={looks[column.name]}
      />
    ),
  }))
}

const SHORT_TEXT = 12

function widthOf({ kind, type, rules, key }: ColumnDescription): number {
  if (type === 'uuid' || rules.format === 'uuid') return 280
  if (rules.reference) return CONSOLE_KINDS.text.width
  const isShort = (rules.maxLength ?? rules.length ?? SHORT_TEXT + 1) <= SHORT_TEXT
  if (key && isWholeKind(kind)) return 88
  if (isTextKind(kind) && (isShort || rules.enum || key)) return 128
  return CONSOLE_KINDS[kind].width
}
