import type { Column } from '@/components/data-table/column'
import { timeColumn } from '@/components/lists/time-column'
import { Badge } from '@/components/ui/status'
import type { Image } from '@/lib/images/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { checkerClass, Picture, thumbnailOf } from './picture'

export const imageColumns: Column<Image>[] = [
  { id: 'name', header: 'Name', fixed: true, width: 260, cell: (image) => <Name image={image} /> },
  { id: 'folder', header: 'Folder', width: 170, cell: ({ folder }) => folder || '—' },
  {
    id: 'tags',
    header: 'Tags',
    width: 200,
    sortable: false,
    cell: ({ tags }) => <Tags of={tags} />,
  },
  {
    id: 'context.alt',
    header: 'Alternative text',
    width: 180,
    sortable: false,
    cell: ({ context }) => context.alt ?? <span className="text-warning">Missing</span>,
  },
  { id: 'format', header: 'Format', width: 88, cell: ({ format }) => format.toUpperCase() },
  { id: 'width', header: 'Width', width: 84, align: 'end', cell: ({ width }) => width },
  { id: 'height', header: 'Height', width: 84, align: 'end', cell: ({ height }) => height },
  { id: 'bytes', header: 'Size', width: 92, align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  timeColumn('createdAt', 'Uploaded'),
  timeColumn('updatedAt', 'Changed', { hidden: true }),
  { id: 'publicId', header: 'Public ID', hidden: true, cell: ({ publicId }) => publicId },
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
