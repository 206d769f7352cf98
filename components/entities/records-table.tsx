'use client'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import type { Column } from '@/components/data-table/column'
import { DataTable, type Loading } from '@/components/data-table/data-table'
import type { ListState } from '@/components/data-table/use-list-state'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { useCellEditing } from './cell-editing/use-cell-editing'
import { CellMenu } from './cell-menu'
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
