import { MoreHorizontalIcon, RefreshCwIcon, Trash2Icon } from 'lucide-react'
import type { Column } from '@/components/data-table/column'
import { BadgeList } from '@/components/ui/badge-list'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Time } from '@/components/ui/time'
import type { ApiKey } from '@/lib/api-keys/contract'
import { KeyStatus } from './key-status'

export type KeyAct = 'rotate' | 'revoke'

export const KEY_COLUMNS: Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    width: 200,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    id: 'prefix',
    header: 'Begins with',
    width: 136,
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
    width: 240,
    sortable: false,
    cell: ({ scopes }) => <Scopes scopes={scopes} />,
  },
  {
    id: 'lastUsedAt',
    header: 'Last used',
    width: 120,
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
]

function Scopes({ scopes }: { scopes: string[] | null }) {
  if (!scopes) return <span className="text-muted-foreground">All of its owner</span>
  return <BadgeList words={scopes} />
}

type MenuProps = { apiKey: ApiKey; act: (act: KeyAct, key: ApiKey) => void }

/** What can be done to a key that still works. */
export function KeyMenu({ apiKey, act }: MenuProps) {
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
