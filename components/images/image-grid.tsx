'use client'

import { CheckIcon } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react'
import type { Loading } from '@/components/data-table/data-table'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { Image } from '@/lib/images/contract'
import { countColumns, nextIndex } from './grid-moves'
import { thumbnailOf } from './image-source'
import { checkerClass, Picture } from './picture'

type Props = {
  images: readonly Image[]
  selection: RowSelection
  onOpen: (fileId: string) => void
  /** The Delete key. */
  onDelete: () => void
}

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,40%),1fr))] gap-2 p-2'

/**
 * Images as a list box: arrow keys move, with Shift they select, Space selects one, Enter opens. A
 * click opens; with Shift it selects a range, with Ctrl or ⌘ one more.
 */
export function ImageGrid({ images, selection, onOpen, onDelete }: Props) {
  const [current, setCurrent] = useState(0)
  const hint = useId()
  const box = useRef<HTMLDivElement>(null)
  const ids = images.map(({ fileId }) => fileId)
  const tabbable = Math.min(current, images.length - 1)

  const extendTo = (id: string) => selection.extend(id, ids[tabbable])
  function move(to: number, extend: boolean) {
    const id = ids[to]
    if (id === undefined) return
    if (extend) extendTo(id)
    setCurrent(to)
    tilesOf(box.current)[to]?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    const id = ids[tabbable]
    if (id === undefined || event.altKey) return
    const next = nextIndex(event.key, tabbable, countColumns(tilesOf(box.current)), ids.length)
    if (next !== null) move(next, event.shiftKey)
    else if (event.key === 'Enter') onOpen(id)
    else if (event.key === ' ') event.shiftKey ? selection.extend(id) : selection.toggle(id)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey))
      selection.replace(new Set([...selection.ids, ...ids]))
    else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear()
    else if (event.key === 'Delete' && selection.ids.size > 0) onDelete()
    else return
    event.preventDefault()
  }

  function onClick(event: MouseEvent, index: number) {
    const id = ids[index] as string
    if (event.shiftKey) extendTo(id)
    else if (event.ctrlKey || event.metaKey || isMark(event.target)) selection.toggle(id)
    else onOpen(id)
    // A press with Shift does not move the focus by itself: it would select letters.
    tilesOf(box.current)[index]?.focus()
  }

  return (
    <>
      <p id={hint} className="sr-only">
        Arrow keys move, with Shift they select. Space selects, Enter opens, Delete deletes what is
        selected.
      </p>
      <div
        ref={box}
        role="listbox"
        aria-multiselectable
        aria-label="Images"
        aria-describedby={hint}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={cn(GRID, 'outline-none')}
      >
        {images.map((image, index) => (
          <ImageTile
            key={image.fileId}
            image={image}
            selected={selection.has(image.fileId)}
            selecting={selection.ids.size > 0}
            tabbable={index === tabbable}
            onFocus={() => setCurrent(index)}
            onClick={(event) => onClick(event, index)}
          />
        ))}
      </div>
    </>
  )
}

const tilesOf = (box: HTMLElement | null) => [...(box?.children ?? [])] as HTMLElement[]
const isMark = (target: EventTarget) => (target as HTMLElement).closest('[data-mark]') !== null

const SKELETON_TILES = 18

export const GridSkeleton = ({ isPending }: Pick<Loading, 'isPending'>) =>
  isPending && (
    <div aria-hidden className={GRID}>
      {Array.from({ length: SKELETON_TILES }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className="grid gap-2 p-1.5">
          <Skeleton className="aspect-[4/3] h-auto rounded-md" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-3 w-1/3" />
        </div>
      ))}
    </div>
  )

type ImageTileProps = {
  image: Image
  selected: boolean
  /** Something is selected: every image shows its mark. */
  selecting: boolean
  tabbable: boolean
  onFocus: () => void
  onClick: (event: MouseEvent) => void
}

/** One image of the grid: its picture, its name, where it is and how large. */
function ImageTile({ image, selected, selecting, tabbable, onFocus, onClick }: ImageTileProps) {
  const { name, folder, width, height, format, context } = image
  const size = `${width} × ${height} ${format.toUpperCase()}`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box takes the keys of all its options
    <div
      role="option"
      aria-selected={selected}
      aria-label={[name, folder && `in ${folder}`, size, !context.alt && NO_ALT]
        .filter(Boolean)
        .join(', ')}
      tabIndex={tabbable ? 0 : -1}
      onFocus={onFocus}
      onClick={onClick}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className={cn(
        'group/tile relative min-w-0 cursor-pointer rounded-lg p-1.5 select-none focus-visible:-outline-offset-2',
        selected ? 'bg-primary-soft' : 'hover:bg-accent/60',
      )}
    >
      <span
        className={cn(
          'block aspect-[4/3] overflow-hidden rounded-md border',
          checkerClass,
          selected && 'border-primary',
        )}
      >
        <Picture
          src={thumbnailOf(image, 256)}
          srcSet={`${thumbnailOf(image, 256)} 1x, ${thumbnailOf(image, 512)} 2x`}
          className="size-full object-contain"
        />
      </span>
      <span aria-hidden className="mt-1.5 block truncate px-0.5 text-[13px]" title={image.publicId}>
        {name}
      </span>
      <span
        aria-hidden
        className="tabular flex flex-wrap justify-between gap-x-2 px-0.5 text-xs text-muted-foreground"
      >
        <span className="truncate">{size}</span>
        {!context.alt && (
          <span className="text-warning" title="It has no alternative text">
            No alt
          </span>
        )}
      </span>
      <Mark selected={selected} shown={selected || selecting} />
    </div>
  )
}

const NO_ALT = 'no alternative text'

// A finger needs it at once; a mouse when it is near.
const Mark = ({ selected, shown }: { selected: boolean; shown: boolean }) => (
  <span
    aria-hidden
    data-mark
    className={cn(
      'absolute top-1.5 left-1.5 grid size-8 place-items-center transition-opacity',
      !shown &&
        'opacity-0 group-hover/tile:opacity-100 group-focus/tile:opacity-100 pointer-coarse:opacity-100',
    )}
  >
    <span
      className={cn(
        'grid size-4 place-items-center rounded border border-input bg-card',
        selected && 'border-primary bg-primary text-primary-foreground',
      )}
    >
      {selected && <CheckIcon className="size-3" strokeWidth={3} />}
    </span>
  </span>
)
