import {
  CalendarIcon,
  CodeIcon,
  LayoutGridIcon,
  MapIcon,
  PlusIcon,
  Rows3Icon,
  TableIcon,
  Trash2Icon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { Column } from '@/components/data-table/column'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { fieldLabel } from '@/components/data-table/field-label'
import type { FilterField } from '@/components/data-table/filter/field'
import { FilterButton } from '@/components/data-table/filter/filter-bar'
import type { Display } from '@/components/data-table/list-params'
import { SearchBox } from '@/components/data-table/search-box'
import { ImportFiles } from '@/components/imports/import-files'
import { PAGE_ACTIONS } from '@/components/shell/page-actions'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Menu, MenuRadioGroup } from '@/components/ui/menu'
import { isViewedAs } from '@/lib/http/client'
import { displayOf, displaysOf } from './displays/supported'
import { searchedFields } from './entity-search'
import { ExportMenu } from './export-menu'
import { SavedViews } from './saved-views'
import type { EntityRecord } from './types'
import type { View } from './view-queries'

type Props = View & { mayWrite: boolean; mayImport: boolean; onCreate: () => void }

/** Name of the entity and what can be done with all of it. */
export function BrowserHeader({ mayWrite, mayImport, onCreate, ...view }: Props) {
  const { entity } = view
  const mayDelete = useCan({ entity, action: 'delete' })
  return (
    <div {...PAGE_ACTIONS} className="flex flex-wrap items-center gap-2">
      <h1 className="mr-auto min-w-0 truncate text-lg font-semibold tracking-tight">{entity}</h1>
      <div className="flex items-center gap-2">
        {!isViewedAs() && (
          <>
            <ShareView {...view} />
            <ExportMenu {...view} />
          </>
        )}
        {mayImport && <ImportFiles entity={entity} />}
        <Link href={`/entities/${encodeURIComponent(entity)}/definition`} className={buttonClass()}>
          <TableIcon aria-hidden /> <span className="max-lg:sr-only">Definition</span>
        </Link>
        {mayDelete && (
          <Link
            href={`/trash?entity=${encodeURIComponent(entity)}`}
            aria-label={`Deleted records of ${entity}`}
            title={`Deleted records of ${entity}`}
            className={buttonClass({ size: 'icon' })}
          >
            <Trash2Icon aria-hidden />
          </Link>
        )}
        {mayWrite && (
          <Button variant="primary" onClick={onCreate}>
            <PlusIcon aria-hidden /> <span className="max-sm:sr-only">Create</span>
          </Button>
        )}
      </div>
    </div>
  )
}

const ShareDialog = dynamic(() => import('./share-dialog'), { ssr: false })

/** The current view for other tools. */
function ShareView(view: View) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CodeIcon aria-hidden /> <span className="max-lg:sr-only">API</span>
      </Button>
      {open && <ShareDialog view={view} onClose={() => setOpen(false)} />}
    </>
  )
}

const EditMatching = dynamic(() => import('./bulk-edit/edit-matching'), { ssr: false })

type BrowserToolbarProps = View & {
  tableColumns: Column<EntityRecord>[]
  fields: FilterField[]
  mayUpdate: boolean
}

/** Search, filter, what is done with the matching records, saved views and columns. */
export function BrowserToolbar({ tableColumns, fields, mayUpdate, ...view }: BrowserToolbarProps) {
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

const DISPLAY = {
  table: { icon: Rows3Icon, label: 'Table' },
  cards: { icon: LayoutGridIcon, label: 'Cards' },
  calendar: { icon: CalendarIcon, label: 'Calendar' },
  map: { icon: MapIcon, label: 'Map' },
} as const

/** Chooses the form in which records are shown; nothing where there is only the table. */
function DisplayMenu({ columns, list }: Pick<View, 'columns' | 'list'>) {
  const displays = displaysOf(columns)
  if (displays.length < 2) return null
  const shown = displayOf(columns, list)
  const { icon: Icon, label } = DISPLAY[shown]
  return (
    <Menu
      trigger={
        <Button size="sm" aria-label={`Show as: ${label}`}>
          <Icon aria-hidden />
          <span className="max-lg:sr-only">{label}</span>
        </Button>
      }
    >
      <MenuRadioGroup<Display>
        label="Show as"
        value={shown}
        onValueChange={list.setDisplay}
        options={displays.map((value) => ({ value, label: DISPLAY[value].label }))}
      />
    </Menu>
  )
}
