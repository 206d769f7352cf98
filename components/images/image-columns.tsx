import type { Column } from '@/components/data-table/column'
import { column, timeColumn } from '@/components/lists/columns'
import { Badge } from '@/components/ui/status'
import type { Image } from '@/lib/images/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { thumbnailOf } from './image-address'
import { checkerClass, Picture } from './picture'

export const imageColumns: Column<Image>[] = [
  column('name', 'Name', 260, (image) => <Name image={image} />, { fixed: true }),
  column('folder', 'Folder', 170, ({ folder }) => folder || '—'),
  column('tags', 'Tags', 200, ({ tags }) => <Tags of={tags} />, { sortable: false }),
  column(
    'context.alt',
    'Alternative text',
    180,
    ({ context }) => context.alt ?? <span className="text-warning">Missing</span>,
    { sortable: false },
  ),
  column('format', 'Format', 88, ({ format }) => format.toUpperCase()),
  column('width', 'Width', 84, null, { align: 'end' }),
  column('height', 'Height', 84, null, { align: 'end' }),
  column('bytes', 'Size', 92, ({ bytes }) => formatBytes(bytes), { align: 'end' }),
  timeColumn('createdAt', 'Uploaded'),
  timeColumn('updatedAt', 'Changed', { hidden: true }),
  column('publicId', 'Public ID', 168, null, { hidden: true }),
]

const Name = ({ image }: { image: Image }) => (
  <span className="flex min-w-0 items-center gap-2">
    <Picture
      src={thumbnailOf(image, 64)}
      className={`size-6 shrink-0 overflow-hidden rounded-sm object-cover ${checkerClass}`}
    />
    <span className="truncate font-medium">{image.name}</span>
  </span>
)

const Tags = ({ of }: { of: readonly string[] }) => (
  <span className="flex min-w-0 gap-1 overflow-hidden" title={of.join(', ')}>
    {of.map((tag) => (
      <Badge key={tag}>{tag}</Badge>
    ))}
  </span>
)
