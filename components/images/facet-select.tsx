'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDownIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { ListState } from '@/components/data-table/use-list-state'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'
import type { ImageFacets } from '@/lib/images/contract'
import { facetsOptions } from './image-queries'
import { type FacetField, facetValue, withFacet } from './images-search'

const FacetList = dynamic(() => import('./facet-list'), {
  loading: () => <Skeleton className="h-24 w-full" />,
})

const FolderList = dynamic(() => import('./folders/folder-list'), {
  loading: () => <Skeleton className="h-24 w-full" />,
})

type Props = { label: string; field: FacetField; of: keyof ImageFacets; list: ListState }

/** Narrows the list to one folder, tag or format. */
export function FacetSelect({ label, field, of, list }: Props) {
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const facets = useQuery(facetsOptions)
  const chosen = facetValue(list.filter, field)
  const choice = {
    facets: facets.data?.data[0]?.[of],
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
