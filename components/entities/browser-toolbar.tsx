'use client'
import dynamic from 'next/dynamic'
import type { Column } from '@/components/data-table/column'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { fieldLabel } from '@/components/data-table/field-label'
import type { FilterField } from '@/components/data-table/filter/field'
import { FilterButton } from '@/components/data-table/filter/filter-bar'
import { SearchBox } from '@/components/data-table/search-box'
import { PAGE_ACTIONS } from '@/components/shell/page-actions'
import { DisplayMenu } from './displays/display-menu'
import { displayOf } from './displays/supported'
import { searchedFields } from './entity-search'
import { SavedViews } from './saved-views'
import type { EntityRecord } from './types'
import type { View } from './view'

const EditMatching = dynamic(() => import('./bulk-edit/edit-matching'), { ssr: false })

type Props = View & {
  tableColumns: Column<EntityRecord>[]
  fields: FilterField[]
  mayUpdate: boolean
}

/** Search, filter, what is done with the matching records, saved views and columns. */
export function BrowserToolbar({ tableColumns, fields, mayUpdate, ...view }: Props) {
  const { entity, columns, list } = view
  const names = searchedFields(columns)
  const searched = columns.filter(({ name }) => names.includes(name)).map(fieldLabel)
  const display = displayOf(columns, list)
  const hasColumns = display === 'table' || display === 'cards'
  return (
    <div {...PAGE_ACTIONS} className="flex items-center gap-1.5 sm:gap-2">
      {searched.length > 0 && (
        <SearchBox list={list} label={`Search ${searched.join(', ')}`} fields={fields} />
      )}
      <FilterButton fields={fields} list={list} />
      {mayUpdate && list.filtered && <EditMatching {...view} />}
      <span className="sm:ml-auto" />
      <SavedViews entity={entity} list={list} />
      <DisplayMenu columns={columns} list={list} />
      {hasColumns && (
        <ColumnsMenu columns={tableColumns} list={list} layoutKey={`entity:${entity}`} />
      )}
    </div>
  )
}
