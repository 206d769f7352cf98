'use client'
import { KeyRoundIcon } from 'lucide-react'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { timeColumn } from '@/components/lists/columns'
import { defineList } from '@/components/lists/define-list'
import { useCan } from '@/components/shell/viewer'
import { BadgeList } from '@/components/ui/badge-list'
import { Link } from '@/components/ui/link'
import { Status, type Tone } from '@/components/ui/status'
import type { ApiKey, ApiKeyStatus } from '@/lib/api-keys/contract'
import { useKeyPanel } from './key-panel'
import { keysQuery } from './key-queries'
import { scopeWords } from './scope-words'

const STATUSES: Record<ApiKeyStatus, { tone: Tone; word: string }> = {
  ACTIVE: { tone: 'success', word: 'Active' },
  EXPIRED: { tone: 'warning', word: 'Expired' },
  REVOKED: { tone: 'neutral', word: 'Revoked' },
}

/** As the list reads it: with the email of its owner. */
type ListedKey = ApiKey & { owner: string | null }

const FILTERS: FilterField[] = [
  { name: 'status', label: 'Status', kind: 'text', enum: Object.keys(STATUSES) },
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'owner', label: 'Owner', kind: 'text' },
  { name: 'prefix', label: 'Beginning', kind: 'text' },
  { name: 'lastUsedAt', label: 'Last used', kind: 'datetime' },
  { name: 'expiresAt', label: 'Expires', kind: 'datetime' },
  { name: 'createdAt', label: 'Created', kind: 'datetime' },
]

const COLUMNS: Column<ListedKey>[] = [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    width: 200,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    id: 'owner',
    header: 'Owner',
    width: 190,
    cell: ({ ownerId, owner }) => <Owner userId={ownerId} email={owner} />,
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
    cell: ({ status }) => <Status tone={STATUSES[status].tone}>{STATUSES[status].word}</Status>,
  },
  {
    id: 'scopes',
    header: 'Rights',
    width: 240,
    sortable: false,
    cell: ({ scopes, roles }) => <Rights scopes={scopes} roles={roles} />,
  },
  timeColumn('lastUsedAt', 'Last used', { width: 120, relative: true, none: 'Never' }),
  timeColumn('expiresAt', 'Expires', { none: 'Never' }),
  timeColumn('createdAt', 'Created'),
]

function Owner({ userId, email }: { userId: string | null; email: string | null }) {
  const mayOpen = useCan('users:manage')
  if (!email || !mayOpen) return <span className="truncate">{email ?? '—'}</span>
  return (
    <Link href={`/users/${userId}`} className="truncate hover:underline">
      {email}
    </Link>
  )
}

/** Roles of its own and the scopes that narrow its rights. */
function Rights({ scopes, roles }: Pick<ApiKey, 'scopes' | 'roles'>) {
  if (!scopes && !roles)
    return <span className="text-muted-foreground">All rights of its owner</span>
  const names = (roles ?? []).map((role) => `Role ${role}`)
  const words = [...names, ...(scopes ?? []).map(scopeWords)]
  return <BadgeList words={words} title={[...names, ...(scopes ?? [])].join('\n')} />
}

/** The keys of programs, the latest first. */
export const KeysList = defineList<ListedKey>({
  label: 'API keys',
  layoutKey: 'api-keys',
  page: { title: 'API keys', description: 'Keys that programs use to call the API.' },
  query: keysQuery,
  toolbar: { searchLabel: 'Search by name or beginning', filters: FILTERS },
  columns: COLUMNS,
  rowId: ({ id }) => id,
  rowName: ({ name }) => name,
  usePanel: useKeyPanel,
  empty: {
    icon: KeyRoundIcon,
    title: 'No API keys yet',
    text: 'A program needs a key of its own to call the API.',
  },
})
