'use client'
import { CheckIcon } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { DisplayProps } from './display-props'
import type { Place } from './map-display'
import { useListBox } from './use-list-box'

type Props = Pick<DisplayProps, 'entity' | 'selection' | 'onOpen' | 'onEdit'> & {
  places: readonly Place[]
}

/** The records of a map by name, with the keys of `useListBox`. */
export function MapList({ entity, places, ...options }: Props) {
  const ids = places.map(({ id }) => id)
  const { box, tabbable, setCurrent, onKeyDown, onClick } = useListBox(ids, options)
  return (
    <div
      ref={box}
      role="listbox"
      aria-multiselectable
      aria-label={`Records of ${entity}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto p-1 outline-none"
    >
      {places.map(({ id, title }, index) => {
        const selected = options.selection.has(id)
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list box takes the keys of all its options
          <div
            key={id}
            role="option"
            aria-selected={selected}
            tabIndex={index === tabbable ? 0 : -1}
            onFocus={() => setCurrent(index)}
            onClick={(event) => onClick(event, index)}
            className={cn(
              'flex h-7 cursor-pointer items-center gap-2 rounded px-2 text-[13px] select-none focus-visible:-outline-offset-2',
              selected ? 'bg-primary-soft' : 'hover:bg-accent/60',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{title}</span>
            {selected && <CheckIcon aria-hidden className="size-3.5 shrink-0 text-primary" />}
          </div>
        )
      })}
    </div>
  )
}
