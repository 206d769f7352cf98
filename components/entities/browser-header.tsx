import {
  CalendarIcon,
  CodeIcon,
  EllipsisIcon,
  EraserIcon,
  LayoutGridIcon,
  MapIcon,
  PlusIcon,
  Rows3Icon,
  TableIcon,
  Trash2Icon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import type { Column } from '@/components/data-table/column'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { fieldLabel } from '@/components/data-table/field-label'
import type { FilterField } from '@/components/data-table/filter/field'
import { FilterButton } from '@/components/data-table/filter/filter-bar'
import type { Display } from '@/components/data-table/list-params'
import { SearchBox } from '@/components/data-table/search-box'
import { ImportFiles } from '@/components/imports/import-files'
import { offerActions, PAGE_ACTIONS } from '@/components/shell/page-actions'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuLink, MenuRadioGroup } from '@/components/ui/menu'
import { useNavigate } from '@/components/ui/pending-page'
import { isViewedAs } from '@/lib/http/client'
import { displayOf, displaysOf } from './displays/supported'
import { fieldsOfWords, searchedFields } from './entity-search'
import { ExportMenu } from './export-menu'
import { SavedViews } from './saved-views'
import type { EntityRecord } from './types'
import type { View } from './view-queries'

type Props = View & { label?: string; mayWrite: boolean; mayImport: boolean; onCreate: () => void }

/** Name of the entity and what can be done with all of it. */
export function BrowserHeader({ label, mayWrite, mayImport, onCreate, ...view }: Props) {
  const { entity } = view
  return (
    <div {...PAGE_ACTIONS} className="flex flex-wrap items-center gap-2">
      <h1 className="mr-auto min-w-0 truncate text-lg font-semibold tracking-tight">
        <bdi title={entity}>{label ?? entity}</bdi>
      </h1>
      <div className="flex flex-wrap items-center gap-2">
        {!isViewedAs() && <ExportMenu {...view} />}
        {mayImport && <ImportFiles entity={entity} />}
        <MoreMenu {...view} />
        {mayWrite && (
          <Button variant="primary" onClick={onCreate}>
            <PlusIcon aria-hidden /> Create
          </Button>
        )}
      </div>
    </div>
  )
}

const ShareDialog = dynamic(() => import('./share-dialog'), { ssr: false })
const EraseRecords = dynamic(() => import('./erase-records'), { ssr: false })

/** What is needed less often: the current view for other tools, the definition, what was deleted. */
function MoreMenu(view: View) {
  const { entity } = view
  const mayDelete = useCan({ entity, action: 'delete' })
  const mayErase = useCan('security:manage') && view.query.length > 0
  const [opened, setOpened] = useState<'share' | 'erase' | null>(null)
  const share = isViewedAs() ? undefined : () => setOpened('share')
  const navigate = useNavigate()
  const definition = `/entities/${encodeURIComponent(entity)}/definition`
  const deleted = `/trash?entity=${encodeURIComponent(entity)}`
  const actions = [
    ...(share ? [{ label: 'API', run: share }] : []),
    { label: 'Definition', run: () => navigate(definition) },
    ...(mayDelete ? [{ label: 'Deleted records', run: () => navigate(deleted) }] : []),
  ]
  useEffect(() => offerActions(actions))
  return (
    <>
      <Menu
        trigger={
          <Button size="icon" aria-label="More actions" title="More actions">
            <EllipsisIcon aria-hidden />
          </Button>
        }
      >
        {share && (
          <MenuItem onClick={share}>
            <CodeIcon aria-hidden /> API
          </MenuItem>
        )}
        <MenuLink href={definition}>
          <TableIcon aria-hidden /> Definition
        </MenuLink>
        {mayDelete && (
          <MenuLink href={deleted}>
            <Trash2Icon aria-hidden /> Deleted records
          </MenuLink>
        )}
        {share && mayErase && (
          <MenuItem tone="destructive" onClick={() => setOpened('erase')}>
            <EraserIcon aria-hidden /> Erase matching records
          </MenuItem>
        )}
      </Menu>
      {opened === 'share' && <ShareDialog view={view} onClose={() => setOpened(null)} />}
      {opened === 'erase' && <EraseRecords view={view} onClose={() => setOpened(null)} />}
    </>
  )
}

const RelatedColumns = dynamic(() => import('./related-columns-list'))
const EditMatching = dynamic(() => import('./bulk-edit/edit-matching'), { ssr: false })

const WORDS_HINT =
  'Records with all words, the best matches first. "In quotes" words follow each other, -word leaves out.'

type BrowserToolbarProps = View & {
  tableColumns: Column<EntityRecord>[]
  fields: FilterField[]
  mayUpdate: boolean
}

/** Search, filter, what is done with the matching records, saved views and columns. */
export function BrowserToolbar({ tableColumns, fields, mayUpdate, ...view }: BrowserToolbarProps) {
  const { entity, columns, list } = view
  const ofWords = fieldsOfWords(columns)
  const names = searchedFields(columns)
  const parts = columns.filter(({ name }) => names.includes(name))
  const hasWords = ofWords.length > 0
  const searched = (hasWords ? ofWords : parts).map(fieldLabel)
  const display = displayOf(columns, list)
  const hasColumns = display === 'table' || display === 'cards'
  return (
    <div {...PAGE_ACTIONS} className="flex flex-wrap items-center gap-1.5 sm:gap-2">
      {searched.length > 0 && (
        <SearchBox
          list={list}
          label={`Search ${searched.join(', ')}`}
          hint={hasWords ? WORDS_HINT : undefined}
          fields={fields}
        />
      )}
      <FilterButton fields={fields} list={list} />
      {mayUpdate && list.filtered && <EditMatching {...view} />}
      <span className="sm:ml-auto" />
      <SavedViews entity={entity} list={list} />
      <DisplayMenu columns={columns} list={list} />
      {hasColumns && (
        <ColumnsMenu
          columns={tableColumns}
          list={list}
          layoutKey={`entity:${entity}`}
          further={(chosen) => <RelatedColumns fields={fields} {...chosen} />}
        />
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
          {label}
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
