'use client'
import { PlusIcon, UsersIcon } from 'lucide-react'
import { useMemo } from 'react'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { column, timeColumn } from '@/components/lists/columns'
import { defineList } from '@/components/lists/define-list'
import type { MailRow } from '@/components/mail/mail-queries'
import { MailStatus } from '@/components/mail/mail-status'
import { BadgeList } from '@/components/ui/badge-list'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { useSearch } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import { USER_STATUSES } from '@/lib/users/status'
import { mailsSearch, usersQuery } from './user-queries'
import { UserStatus } from './user-status'

const FILTERS: FilterField[] = [
  { name: 'status', label: 'Status', kind: 'text', enum: [...USER_STATUSES] },
  { name: 'email', label: 'Email', kind: 'text' },
  { name: 'roles', label: 'Roles', kind: 'array' },
  { name: 'lastSignInAt', label: 'Last sign-in', kind: 'datetime' },
  { name: 'createdAt', label: 'Created', kind: 'datetime' },
]

/** `mails`: the latest mail by address in lower case. */
const columns = (mails: ReadonlyMap<string, MailRow>): Column<User>[] => [
  column('email', 'Email', 260, null, { fixed: true, opens: true }),
  column('status', 'Status', 170, ({ status }) => <UserStatus status={status} />),
  column('roles', 'Roles', 220, ({ roles }) => <BadgeList words={roles} />, { sortable: false }),
  column(
    'mail',
    'Latest mail',
    168,
    ({ email }) => <LatestMail mail={mails.get(email.toLowerCase())} />,
    { sortable: false },
  ),
  timeColumn('lastSignInAt', 'Last sign-in', { width: 150, relative: true, none: 'Never' }),
  timeColumn('createdAt', 'Created'),
]

function LatestMail({ mail }: { mail: MailRow | undefined }) {
  if (!mail) return <span className="text-muted-foreground">—</span>
  return (
    <Link href={`/mail?mail=${mail.id}`} title={mail.error ?? mail.subject}>
      <MailStatus status={mail.status} />
    </Link>
  )
}

function useColumns(users: readonly User[]): Column<User>[] {
  const emails = users.map(({ email }) => email)
  const mails = useSearch<MailRow>('EngineEmails', mailsSearch(emails), {
    enabled: emails.length > 0,
  })
  const latestFirst = mails.data?.data
  return useMemo(() => {
    const oldestFirst = [...(latestFirst ?? [])].reverse()
    return columns(new Map(oldestFirst.map((mail) => [mail.to.toLowerCase(), mail])))
  }, [latestFirst])
}

const CREATE = (
  <Link href="/users/new" className={buttonClass({ variant: 'primary' })}>
    <PlusIcon aria-hidden />
    New user
  </Link>
)

/** Everybody who has an account. */
export const UsersList = defineList<User>({
  label: 'Users',
  layoutKey: 'users',
  page: { title: 'Users', description: 'Who may sign in, and what they may do.' },
  query: usersQuery,
  toolbar: { searchLabel: 'Search by email', filters: FILTERS },
  useColumns,
  rowId: ({ userId }) => userId,
  rowName: ({ email }) => email,
  href: ({ userId }) => `/users/${userId}`,
  usePanel: () => ({ actions: CREATE }),
  empty: {
    icon: UsersIcon,
    title: 'No users yet',
    text: 'Invite the people who work with the data.',
  },
})
