'use client'
import type { ReactNode } from 'react'
import type { Column } from './column'
import { ColumnsMenu } from './columns-menu'
import { DataTable } from './data-table'
import type { FilterField } from './filter/field'
import { FilterButton, FilterChips } from './filter/filter-bar'
import { Pager } from './pager'
import { SearchBox } from './search-box'
import type { useList } from './use-list'

type Props<Row> = {
  /** Names the table to screen readers. */
  label: string
  /** Under which this browser keeps widths and density. */
  layoutKey: string
  /** Says what plain search looks into. */
  searchLabel: string
  from: ReturnType<typeof useList<Row>>
  columns: readonly Column<Row>[]
  fields: readonly FilterField[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  onOpen?: (row: Row) => void
  /** Acts at the end of a row. */
  rowActions?: (row: Row) => ReactNode
  empty: ReactNode
}

/** Search, filter and columns above a table, its pages below: what every list of the console is. */
export function DataList<Row>(props: Props<Row>) {
  const { from, columns, fields, layoutKey, searchLabel, ...table } = props
  const { list, answer, rows } = from
  return (
    <>
      <div className="flex items-center gap-2">
        <SearchBox list={list} label={searchLabel} />
        <FilterButton fields={fields} list={list} />
        <span className="sm:ml-auto" />
        <ColumnsMenu columns={columns} list={list} layoutKey={layoutKey} />
      </div>
      <FilterChips fields={fields} list={list} />
      <DataTable
        {...table}
        layoutKey={layoutKey}
        columns={columns}
        rows={rows}
        list={list}
        loading={answer}
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
    </>
  )
}
