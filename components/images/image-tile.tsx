'use client'
import { CheckIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { cn } from '@/components/ui/cn'
import type { Image } from '@/lib/images/contract'
import { thumbnailOf } from './image-source'
import { checkerClass, Picture } from './picture'

type Props = {
  image: Image
  selected: boolean
  /** Something is selected: every image shows its mark. */
  selecting: boolean
  tabbable: boolean
  onFocus: () => void
  onClick: (event: MouseEvent) => void
}

/** One image of the grid: its picture, its name, where it is and how large. */
export function ImageTile({ image, selected, selecting, tabbable, onFocus, onClick }: Props) {
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
