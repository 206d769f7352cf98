import { BotIcon, KeyRoundIcon, type LucideIcon, UserIcon, UserXIcon } from 'lucide-react'
import type { Column } from '@/components/data-table/column'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { AuditRow } from './audit-search'
import { ObjectName } from './object-name'
import type { NamedObject } from './object-names'

const ACTORS: Record<AuditRow['actorType'], { label: string; icon: LucideIcon }> = {
  user: { label: 'User', icon: UserIcon },
  api_key: { label: 'API key', icon: KeyRoundIcon },
  system: { label: 'Engine', icon: BotIcon },
  anonymous: { label: 'Not signed in', icon: UserXIcon },
}

/** Who did it: the kind as an icon with its word for screen readers, and the name at the time. */
export function AuditActor({ actorType, actorName }: Pick<AuditRow, 'actorType' | 'actorName'>) {
  const { label, icon: Icon } = ACTORS[actorType]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      {actorName && <span className="sr-only">{label}:</span>}
      <span className="truncate">{actorName ?? label}</span>
    </span>
  )
}

export const auditColumns = (
  open: (row: AuditRow) => void,
  nameOf: (row: AuditRow) => NamedObject | null,
): Column<AuditRow>[] => [
  {
    id: 'action',
    header: 'Action',
    fixed: true,
    width: 210,
    cell: (row) => (
      <button
        type="button"
        className="font-medium hover:underline"
        onClick={(event) => {
          event.stopPropagation()
          open(row)
        }}
      >
        {row.action}
      </button>
    ),
  },
  { id: 'actorName', header: 'By', width: 210, cell: (row) => <AuditActor {...row} /> },
  {
    id: 'objectType',
    header: 'Object',
    width: 150,
    cell: ({ objectType }) => <Badge>{objectType}</Badge>,
  },
  {
    id: 'objectId',
    header: 'Which',
    width: 250,
    cell: (row) => <ObjectName object={nameOf(row)} />,
  },
  {
    id: 'createdAt',
    header: 'When',
    width: 165,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: 'address', header: 'Address', width: 130, cell: ({ address }) => address ?? '—' },
  {
    id: 'requestId',
    header: 'Request',
    width: 280,
    hidden: true,
    cell: ({ requestId }) => <span className="font-mono text-xs">{requestId ?? '—'}</span>,
  },
]
