import type { Loading } from '@/components/data-table/data-table'
import { ListBox, type ListOption, SelectionMark } from '@/components/data-table/list-box'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/state'
import type { Image } from '@/lib/images/contract'
import { thumbnailOf } from './image-address'
import { checkerClass, Picture } from './picture'

type Props = {
  images: readonly Image[]
  selection: RowSelection
  onOpen: (fileId: string) => void
  /** The Delete key. */
  onDelete: () => void
}

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,40%),1fr))] gap-2 p-2'

const HINT =
  'Arrow keys move, with Shift they select. Space selects, Enter opens, Delete deletes what is selected.'

/** Images as a list box of tiles. */
export const ImageGrid = ({ images, ...actions }: Props) => (
  <ListBox
    label="Images"
    hint={HINT}
    className={GRID}
    ids={images.map(({ fileId }) => fileId)}
    {...actions}
  >
    {(option, index) => (
      <ImageTile
        image={images[index] as Image}
        selecting={actions.selection.ids.size > 0}
        option={option}
      />
    )}
  </ListBox>
)

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
  /** Something is selected: every image shows its mark. */
  selecting: boolean
  option: ListOption
}

/** One image of the grid: its picture, its name, where it is and how large. */
function ImageTile({ image, selecting, option }: ImageTileProps) {
  const selected = option['aria-selected']
  const { name, folder, width, height, format, context } = image
  const size = `${width} × ${height} ${format.toUpperCase()}`
  return (
    <div
      role="option"
      tabIndex={option.tabIndex}
      {...option}
      aria-label={[name, folder && `in ${folder}`, size, !context.alt && NO_ALT]
        .filter(Boolean)
        .join(', ')}
      className={cn(
        'group/option relative min-w-0 cursor-pointer rounded-lg p-1.5 select-none focus-visible:-outline-offset-2',
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
      <SelectionMark selected={selected} shown={selected || selecting} />
    </div>
  )
}

const NO_ALT = 'no alternative text'
