import { MoreHorizontalIcon, RefreshCwIcon, Trash2Icon } from 'lucide-react'
import type { Column } from '@/components/data-table/column'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { ApiKey } from '@/lib/api-keys/contract'
import { KeyStatus } from './key-status'

export type KeyAct = 'rotate' | 'revoke'

export const keyColumns = (act: (act: KeyAct, key: ApiKey) => void): Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    width: 220,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    id: 'prefix',
    header: 'Begins with',
    width: 150,
    cell: ({ prefix }) => <span className="font-mono text-xs">{prefix}…</span>,
  },
  {
    id: 'status',
    header: 'Status',
    width: 110,
    cell: ({ status }) => <KeyStatus status={status} />,
  },
  {
    id: 'scopes',
    header: 'Rights',
    width: 260,
    sortable: false,
    cell: ({ scopes }) => <Scopes scopes={scopes} />,
  },
  {
    id: 'lastUsedAt',
    header: 'Last used',
    width: 150,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} relative /> : 'Never'),
  },
  {
    id: 'expiresAt',
    header: 'Expires',
    width: 165,
    cell: ({ expiresAt }) => (expiresAt ? <Time value={expiresAt} /> : 'Never'),
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 165,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    id: 'id',
    header: 'Actions',
    width: 84,
    align: 'end',
    sortable: false,
    cell: (key) => <KeyMenu apiKey={key} act={act} />,
  },
]

function Scopes({ scopes }: { scopes: string[] | null }) {
  if (!scopes) return <span className="text-muted-foreground">All of its owner</span>
  return (
    <span className="flex min-w-0 gap-1 overflow-hidden" title={scopes.join('\n')}>
      {scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </span>
  )
}

function KeyMenu({ apiKey, act }: { apiKey: ApiKey; act: (act: KeyAct, key: ApiKey) => void }) {
  if (apiKey.status === 'REVOKED') return null
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${apiKey.name}`}>
          <MoreHorizontalIcon aria-hidden />
        </Button>
      }
    >
      <MenuItem onClick={() => act('rotate', apiKey)}>
        <RefreshCwIcon aria-hidden />
        Rotate
      </MenuItem>
      <MenuItem tone="destructive" onClick={() => act('revoke', apiKey)}>
        <Trash2Icon aria-hidden />
        Revoke
      </MenuItem>
    </Menu>
  )
}
