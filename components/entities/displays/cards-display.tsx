'use client'
import { useId } from 'react'
import { TableMessage } from '@/components/data-table/table-message'
import { Skeleton } from '@/components/ui/skeleton'
import { RecordCard } from './card'
import type { DisplayProps } from './display-props'
import { useListBox } from './use-list-box'

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(13rem,45%),1fr))] gap-2 p-2'
const SKELETONS = 12

/** Records as a list box of cards with the keys of `useListBox`. */
export default function CardsDisplay(props: DisplayProps) {
  const { entity, rows, selection, loading, onOpen, onEdit } = props
  const hint = useId()
  const ids = rows.map(({ persistenceId }) => persistenceId)
  const { box, tabbable, onKeyDown, onClick, setCurrent } = useListBox(ids, {
    selection,
    onOpen,
    onEdit,
  })
  return (
    <div
      className="relative min-h-64 flex-1 overflow-auto rounded-lg border bg-card"
      aria-busy={loading.isFetching}
    >
      <p id={hint} className="sr-only">
        Arrow keys move, with Shift they select. Space selects, Enter opens.
      </p>
      {rows.length > 0 && (
        <div
          ref={box}
          role="listbox"
          aria-multiselectable
          aria-label={`Records of ${entity}`}
          aria-describedby={hint}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className={`${GRID} outline-none`}
        >
          {rows.map((record, index) => (
            <RecordCard
              key={record.persistenceId}
              record={record}
              {...props}
              selected={selection.has(record.persistenceId)}
              tabbable={index === tabbable}
              onFocus={() => setCurrent(index)}
              onClick={(event) => onClick(event, index)}
            />
          ))}
        </div>
      )}
      {rows.length === 0 && loading.isPending && <Skeletons />}
      {rows.length === 0 && !loading.isPending && <TableMessage {...props} />}
    </div>
  )
}

const Skeletons = () => (
  <div aria-hidden className={GRID}>
    {Array.from({ length: SKELETONS }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
      <div key={index} className="grid gap-2 p-1.5">
        <Skeleton className="aspect-[4/3] h-auto rounded-md" />
        <Skeleton className="h-3 w-2/3" />
      </div>
    ))}
  </div>
)
