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

type Props = { label: string; field: FacetField; of: keyof ImageFacets; list: ListState }

/** Narrows the list to one folder, tag or format. */
export function FacetSelect({ label, field, of, list }: Props) {
  const [open, setOpen] = useState(false)
  const facets = useQuery(facetsOptions)
  const chosen = facetValue(list.filter, field)
  return (
    <Popover
      title={label}
      open={open}
      onOpenChange={setOpen}
      className="w-64 p-1"
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
      <FacetList
        label={label}
        facets={facets.data?.data[0]?.[of]}
        error={facets.error}
        chosen={chosen}
        labelOf={(value) => valueLabel(field, value)}
        onChoose={(value) => {
          list.setFilter(withFacet(list.filter, field, value))
          setOpen(false)
        }}
      />
    </Popover>
  )
}

function valueLabel(field: FacetField, value: string): string {
  if (field === 'format') return value.toUpperCase()
  return value || 'No folder'
}
