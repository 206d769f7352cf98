'use client'
import { ListFilterIcon, XIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/skeleton'
import { useTimeZone } from '@/components/ui/use-time-zone'
import type { ListState } from '../use-list-state'
import { countConditions } from './condition'
import { describe, type FilterField } from './field'

const FilterPanel = dynamic(() => import('./filter-panel'), {
  loading: () => <Skeleton className="h-24 w-[min(42rem,calc(100vw-3rem))]" />,
})

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

/** The conditions in words, each with a way to take it away. */
export function FilterChips({ fields, list }: Props) {
  const timeZone = useTimeZone()
  if (list.filter.length === 0) return null
  return (
    <ul aria-label="Conditions" className="flex flex-wrap items-center gap-1.5">
      {list.filter.map((condition, index) => {
        const text = describe(condition, fields, timeZone)
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are distinguished by their position alone
            key={index}
            className="flex h-6 max-w-full items-center rounded-md border bg-card pl-2 text-xs"
          >
            <span className="truncate" title={text}>
              {text}
            </span>
            <button
              type="button"
              aria-label={`Remove the condition ${text}`}
              className="grid size-6 shrink-0 place-items-center rounded text-muted-foreground hover:text-foreground"
              onClick={() => list.setFilter(list.filter.filter((_, i) => i !== index))}
            >
              <XIcon aria-hidden className="size-3" />
            </button>
          </li>
        )
      })}
      <li>
        <Button size="sm" variant="ghost" className="h-6" onClick={list.clear}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}
