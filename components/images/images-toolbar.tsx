import { useQuery } from '@tanstack/react-query'
import { ChevronDownIcon, LayoutGridIcon, ListIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { FilterButton } from '@/components/data-table/filter/filter-bar'
import { SearchBox } from '@/components/data-table/search-box'
import type { ListState } from '@/components/data-table/use-list-state'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { Popover } from '@/components/ui/popover'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/state'
import type { ImageFacets } from '@/lib/images/contract'
import { imageColumns } from './image-columns'
import { countOptions, facetsOptions } from './image-queries'
import {
  type FacetField,
  facetValue,
  IMAGE_FIELDS,
  imagesQuery,
  showsWithoutAlt,
  withFacet,
  withoutAlt,
} from './images-search'
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

/** Narrows the list to images without alternative text; says how many of the shown ones these are. */
function AltFilter({ list }: { list: ListState }) {
  const on = showsWithoutAlt(list.filter)
  const query = imagesQuery({ q: list.q, filter: withoutAlt(list.filter, true) })
  const count = useQuery(countOptions(query)).data ?? null
  return (
    <Button
      size="sm"
      aria-pressed={on}
      className="aria-pressed:border-primary aria-pressed:bg-primary-soft"
      onClick={() => list.setFilter(withoutAlt(list.filter, !on))}
    >
      Without alternative text
      {count !== null && (
        <span className="tabular text-xs text-muted-foreground">{formatCount(count)}</span>
      )}
    </Button>
  )
}

const FacetList = dynamic(() => import('./facet-list'), {
  loading: () => <Skeleton className="h-24 w-full" />,
})

const FolderList = dynamic(() => import('./folders/folder-list'), {
  loading: () => <Skeleton className="h-24 w-full" />,
})

type FacetSelectProps = { label: string; field: FacetField; of: keyof ImageFacets; list: ListState }

/** Narrows the list to one folder, tag or format. */
function FacetSelect({ label, field, of, list }: FacetSelectProps) {
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const facets = useQuery(facetsOptions)
  const chosen = facetValue(list.filter, field)
  const choice = {
    facets: facets.data?.[of],
    error: facets.error,
    chosen,
    onChoose: (value: string | null) => {
      list.setFilter(withFacet(list.filter, field, value))
      setOpen(false)
    },
  }
  return (
    <Popover
      title={label}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        // What is opened again while it still closes keeps nothing that was typed.
        if (next) setOpenings(openings + 1)
      }}
      className={field === 'folder' ? 'w-80 max-w-[calc(100vw-2rem)] p-1' : 'w-64 p-1'}
      trigger={
        <Button size="sm" className="max-w-44" aria-label={chosen === null ? label : undefined}>
          <span className="truncate">
            {label}
            {chosen !== null && <span className="font-medium">: {valueLabel(field, chosen)}</span>}
          </span>
          <ChevronDownIcon aria-hidden className="text-muted-foreground" />
        </Button>
      }
    >
      {field === 'folder' ? (
        <FolderList key={openings} {...choice} />
      ) : (
        <FacetList
          key={openings}
          {...choice}
          label={label}
          labelOf={(value) => valueLabel(field, value)}
        />
      )}
    </Popover>
  )
}

function valueLabel(field: FacetField, value: string): string {
  if (field === 'format') return value.toUpperCase()
  return value || 'No folder'
}
