import { CircleAlertIcon, XIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type KeyboardEvent, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Popover } from '@/components/ui/popover'
import { useTimeZone } from '@/components/ui/use-time-zone'
import { ApiError } from '@/lib/http/client'
import type { ListState } from '../use-list-state'
import type { Condition } from './condition'
import { corrected, type Fault, type Faults, faultsOf, firstFault } from './condition-faults'
import { describe, type FilterField } from './field'
import { PanelSkeleton } from './panel-skeleton'
import { useKnownFields } from './use-known-fields'

const FilterPanel = dynamic(() => import('./filter-panel'), { loading: PanelSkeleton })

type Props = { fields: readonly FilterField[]; list: ListState; error: Error | null }

/** The conditions in words, each to be corrected in the builder or taken away. */
export default function FilterChips({ fields, list, error }: Props) {
  const { filter, setFilter } = list
  const known = useKnownFields(fields, filter)
  const bar = useRef<HTMLUListElement>(null)
  const faults = useMemo(() => {
    const refused = error instanceof ApiError ? error.validations : []
    return faultsOf(filter, known, refused)
  }, [filter, known, error])
  const [opened, setOpened] = useState<Condition | null>(null)
  useImperativeHandle(list.filterChips, () => ({
    openFirstWrong: () => setOpened(filter.find((each) => firstFault(each, faults)) ?? null),
  }))
  const remove = (index: number) => {
    const chips = bar.current?.querySelectorAll<HTMLElement>('[data-chip]') ?? []
    const stays = index < chips.length - 1 ? chips[index] : chips[index - 1]
    if (stays) stays.focus()
    else list.filterButton.current?.focus()
    setFilter(filter.filter((_, i) => i !== index))
  }
  return (
    <ul ref={bar} aria-label="Conditions" className="flex flex-wrap items-center gap-1.5">
      {filter.map((condition, index) => (
        <Chip
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions are distinguished by their position alone
          key={index}
          {...{ condition, index, fields, known, filter, faults, setFilter }}
          open={opened === condition}
          onOpenChange={(open) => setOpened(open ? condition : null)}
          onRemove={() => remove(index)}
        />
      ))}
      <li>
        <Button size="sm" variant="ghost" className="h-6" onClick={list.clear}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}

type ChipProps = {
  condition: Condition
  index: number
  fields: readonly FilterField[]
  /** With those that the conditions reach. */
  known: readonly FilterField[]
  filter: Condition[]
  faults: Faults
  setFilter: (filter: Condition[]) => void
  open: boolean
  onOpenChange: (open: boolean) => void
  onRemove: () => void
}

function Chip(props: ChipProps) {
  const { condition, index, fields, known, filter, faults, setFilter, onOpenChange, onRemove } =
    props
  const text = describe(condition, known, useTimeZone())
  const fault = firstFault(condition, faults)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    event.preventDefault()
    onRemove()
  }
  return (
    <li
      className={cn(
        'flex min-h-6 max-w-full items-center rounded-md border bg-card text-xs',
        fault && 'border-destructive bg-destructive-soft text-destructive',
      )}
    >
      <Popover
        title="Filter"
        open={props.open}
        onOpenChange={onOpenChange}
        trigger={
          <button
            type="button"
            data-chip
            title={fault ? `${text}: ${fault.reason}` : text}
            className="flex min-h-6 min-w-0 items-center gap-1 rounded-md px-2 text-left hover:bg-accent/50"
            onKeyDown={onKeyDown}
          >
            <ChipText text={text} fault={fault} />
          </button>
        }
      >
        <FilterPanel
          {...{ fields, filter, faults }}
          focusAt={index}
          onApply={(next) => {
            onOpenChange(false)
            setFilter(next)
          }}
        />
      </Popover>
      {fault?.meant && (
        <button
          type="button"
          className="shrink-0 rounded px-1 font-medium underline underline-offset-2"
          onClick={() => setFilter(filter.with(index, corrected(condition, faults)))}
        >
          Use “{fault.meant.name}”
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove the condition ${text}`}
        className={cn(
          'grid size-6 shrink-0 place-items-center rounded hover:text-foreground',
          !fault && 'text-muted-foreground',
        )}
        onClick={onRemove}
      >
        <XIcon aria-hidden className="size-3" />
      </button>
    </li>
  )
}

function ChipText({ text, fault }: { text: string; fault: Fault | null }) {
  if (!fault) return <span className="truncate">{text}</span>
  return (
    <>
      <CircleAlertIcon aria-hidden className="size-3.5 shrink-0" />
      <span>
        <span className="sr-only">Wrong condition: </span>
        <span className="font-medium">{text}</span> – {fault.reason}
      </span>
    </>
  )
}
