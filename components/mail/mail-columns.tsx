import type { Column } from '@/components/data-table/column'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { MailRow } from './mail-search'
import { MailStatus } from './mail-status'

export const mailColumns = (open: (id: string) => void): Column<MailRow>[] => [
  {
    id: 'subject',
    header: 'Subject',
    fixed: true,
    width: 250,
    cell: ({ id, subject }) => (
      <button
        type="button"
        className="max-w-full truncate font-medium hover:underline"
        onClick={(event) => {
          event.stopPropagation()
          open(id)
        }}
      >
        {subject}
      </button>
    ),
  },
  { id: 'to', header: 'To', width: 200, cell: ({ to }) => to },
  {
    id: 'status',
    header: 'State',
    width: 110,
    cell: ({ status }) => <MailStatus status={status} />,
  },
  { id: 'error', header: 'Reason', width: 200, cell: ({ error }) => error ?? '—' },
  { id: 'attempts', header: 'Attempts', align: 'end', width: 92, cell: ({ attempts }) => attempts },
  {
    id: 'createdAt',
    header: 'Written',
    width: 156,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: 'sentAt', header: 'Sent', width: 156, cell: ({ sentAt }) => <Time value={sentAt} /> },
  {
    id: 'template',
    header: 'Template',
    width: 200,
    hidden: true,
    cell: ({ template }) => <Badge>{template}</Badge>,
  },
]
