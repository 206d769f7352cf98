import { ListFilterIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { lazy, Suspense, useImperativeHandle, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import type { ListState } from '../use-list-state'
import { countConditions } from './condition'
import type { FilterField } from './field'
import { PanelSkeleton } from './panel-skeleton'

const FilterPanel = dynamic(() => import('./filter-panel'), { loading: PanelSkeleton })
const Chips = lazy(() => import('./filter-chips'))

type Props = { fields: readonly FilterField[]; list: ListState }

/** The button that opens the filter builder. */
export function FilterButton({ fields, list }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useImperativeHandle(list.filterButton, () => ({
    open: () => setOpen(true),
    focus: () => button.current?.focus(),
  }))
  const count = countConditions(list.filter)
  return (
    <Popover
      title="Filter"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button ref={button} size="sm">
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
export function FilterChips(props: ChipsProps) {
  const isFiltered = props.list.filter.length > 0
  const [isServed] = useState(isFiltered)
  if (!isFiltered) return null
  const chips = <Chips {...props} />
  // What the server drew is taken over with all around it: by itself it would be drawn again, under the pointer.
  return isServed ? chips : <Suspense>{chips}</Suspense>
}
