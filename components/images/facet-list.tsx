import { Command } from 'cmdk'
import { CheckIcon } from 'lucide-react'
import { formatCount } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/state'
import type { Facet } from '@/lib/images/contract'

type Props = {
  label: string
  /** Undefined while they are being fetched. */
  facets: readonly Facet[] | undefined
  error: Error | null
  chosen: string | null
  labelOf: (value: string) => string
  onChoose: (value: string | null) => void
}

const ITEM =
  'flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 text-[13px] select-none data-[selected=true]:bg-accent'

/** The values there are, found by typing. */
export default function FacetList({ label, facets, error, chosen, labelOf, onChoose }: Props) {
  if (error) return <p className="p-3 text-destructive">{error.message}</p>
  if (!facets) return <Skeleton className="m-2 h-4 w-2/3" />
  return (
    <Command label={label} loop>
      <Command.Input
        autoFocus
        placeholder={`Find a ${label.toLowerCase()}`}
        className="mb-1 h-8 w-full border-b bg-transparent px-2 text-control outline-none placeholder:text-muted-foreground"
      />
      <Command.List className="max-h-72 overflow-y-auto">
        <Command.Empty className="px-2 py-4 text-center text-[13px] text-muted-foreground">
          {facets.length === 0 ? 'None yet' : 'No matches'}
        </Command.Empty>
        {chosen !== null && (
          <Command.Item value="any" className={ITEM} onSelect={() => onChoose(null)}>
            <span className="size-3.5" />
            Any {label.toLowerCase()}
          </Command.Item>
        )}
        {facets.map(({ value, count }) => (
          <Command.Item
            key={value}
            value={`${labelOf(value)} ${value}`}
            className={ITEM}
            onSelect={() => onChoose(value === chosen ? null : value)}
          >
            {value === chosen ? (
              <CheckIcon aria-hidden className="size-3.5 shrink-0" />
            ) : (
              <span className="size-3.5 shrink-0" />
            )}
            <span className="truncate">{labelOf(value)}</span>
            {value === chosen && <span className="sr-only">selected</span>}
            <span className="tabular ml-auto text-xs text-muted-foreground">
              {formatCount(count)}
            </span>
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  )
}
