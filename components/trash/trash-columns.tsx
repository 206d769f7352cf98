import type { Column } from '@/components/data-table/column'
import { formatCount } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { TrashBatch } from '@/lib/trash/contract'
import { TimeLeft } from './time-left'

/** `open`: shows the deletion beside the table. */
export const trashColumns = (open: (batchId: string) => void): Column<TrashBatch>[] => [
  {
    id: 'entity',
    header: 'Entity',
    fixed: true,
    sortable: false,
    width: 160,
    cell: ({ batchId, entity }) => (
      <button
        type="button"
        className="max-w-full truncate font-medium hover:underline"
        onClick={(event) => {
          event.stopPropagation()
          open(batchId)
        }}
      >
        {entity}
      </button>
    ),
  },
  {
    id: 'count',
    header: 'Records',
    align: 'end',
    sortable: false,
    width: 96,
    cell: ({ count }) => formatCount(count),
  },
  {
    id: 'deletedAt',
    header: 'Deleted',
    sortable: false,
    width: 172,
    cell: ({ deletedAt }) => <Time value={deletedAt} />,
  },
  {
    id: 'deletedBy',
    header: 'By',
    sortable: false,
    width: 220,
    cell: ({ deletedBy }) => deletedBy,
  },
  {
    id: 'expiresAt',
    header: 'Time left',
    sortable: false,
    width: 132,
    cell: ({ expiresAt }) => <TimeLeft until={expiresAt} />,
  },
]
