'use client'
import { LayoutGridIcon, ListIcon } from 'lucide-react'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { FilterButton } from '@/components/data-table/filter/filter-bar'
import { SearchBox } from '@/components/data-table/search-box'
import type { ListState } from '@/components/data-table/use-list-state'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { AltFilter } from './alt-filter'
import { FacetSelect } from './facet-select'
import { imageColumns } from './image-columns'
import { IMAGE_FIELDS } from './images-search'
import type { ImageView } from './use-image-view'

const ORDERS = [
  { value: 'createdAt:desc', label: 'Newest first' },
  { value: 'createdAt:asc', label: 'Oldest first' },
  { value: 'updatedAt:desc', label: 'Last changed' },
  { value: 'name:asc', label: 'Name' },
  { value: 'bytes:desc', label: 'Largest first' },
] as const

type Props = { list: ListState; view: ImageView; onView: (view: ImageView) => void }

/** Search, filters, order and form of the list. */
export function ImagesToolbar({ list, view, onView }: Props) {
  return (
    <>
      <div className="flex basis-full sm:basis-auto">
        <SearchBox list={list} label="Search by name or public ID" fields={IMAGE_FIELDS} />
      </div>
      <FacetSelect label="Folder" field="folder" of="folders" list={list} />
      <FacetSelect label="Tag" field="tags" of="tags" list={list} />
      <FacetSelect label="Format" field="format" of="formats" list={list} />
      <AltFilter list={list} />
      <FilterButton fields={IMAGE_FIELDS} list={list} />
      <span className="ml-auto" />
      {view === 'list' ? (
        <ColumnsMenu columns={imageColumns} list={list} layoutKey="images" />
      ) : (
        <Order list={list} />
      )}
      <fieldset className="flex">
        <legend className="sr-only">View</legend>
        <ViewButton name="grid" icon={LayoutGridIcon} view={view} onView={onView} />
        <ViewButton name="list" icon={ListIcon} view={view} onView={onView} />
      </fieldset>
    </>
  )
}

function Order({ list }: { list: ListState }) {
  const text = list.sort.map(({ field, direction }) => `${field}:${direction}`).join(',')
  const value = text || ORDERS[0].value
  const known = ORDERS.some((each) => each.value === value)
  const options = known ? ORDERS : [...ORDERS, { value, label: 'Custom' }]
  return (
    <Select<string>
      aria-label="Order"
      size="sm"
      className="w-34"
      value={value}
      options={options}
      onValueChange={(chosen) => {
        const [field = '', direction] = chosen.split(':')
        const isDefault = chosen === ORDERS[0].value
        list.setSort(isDefault ? [] : [{ field, direction: direction === 'asc' ? 'asc' : 'desc' }])
      }}
    />
  )
}

type ViewProps = {
  name: ImageView
  icon: typeof ListIcon
  view: ImageView
  onView: (view: ImageView) => void
}

const ViewButton = ({ name, icon: Icon, view, onView }: ViewProps) => (
  <Button
    size="icon-sm"
    aria-label={`Show as ${name}`}
    aria-pressed={view === name}
    className="first-of-type:rounded-r-none last-of-type:-ml-px last-of-type:rounded-l-none aria-pressed:bg-accent"
    onClick={() => onView(name)}
  >
    <Icon aria-hidden />
  </Button>
)
