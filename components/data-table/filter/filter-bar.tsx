'use client'
import { ListFilterIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import type { ListState } from '../use-list-state'
import { countConditions } from './condition'
import type { FilterField } from './field'
import { PanelSkeleton } from './panel-skeleton'

const FilterPanel = dynamic(() => import('./filter-panel'), { loading: PanelSkeleton })
const Chips = dynamic(() => import('./filter-chips'), { loading: () => <div className="h-6" /> })

type Props = { fields: readonly FilterField[]; list: ListState }

/** The button that opens the filter builder. */
export function FilterButton({ fields, list }: Props) {
  const [open, setOpen] = useState(false)
  const count = countConditions(list.filter)
  return (
    <Popover
      title="Filter"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" data-filter-button>
          <ListFilterIcon aria-hidden />
          Filter
          {count > 0 && (
            <span className="tabular rounded bg-primary-soft px-1 text-xs text-primary">
              {count}
            </span>
          )}
        </Button>
      }
    >
      <FilterPanel
        fields={fields}
        filter={list.filter}
        onApply={(filter) => {
          list.setFilter(filter)
          setOpen(false)
        }}
      />
    </Popover>
  )
}

type ChipsProps = Props & { error: Error | null }

/** The conditions in words, while there are some. `error`: why the list could not be loaded. */
export const FilterChips = (props: ChipsProps) =>
  props.list.filter.length > 0 && <Chips {...props} />
