import type { Column } from '@/components/data-table/column'
import type { MailRow } from '@/components/mail/mail-search'
import { MailStatus } from '@/components/mail/mail-status'
import { BadgeList } from '@/components/ui/badge-list'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { UserStatus } from './user-status'
import type { UserRow } from './users-search'

/** `mails`: the latest mail by address in lower case. */
export const userColumns = (mails: ReadonlyMap<string, MailRow>): Column<UserRow>[] => [
  {
    id: 'email',
    header: 'E-mail',
    fixed: true,
    width: 260,
    cell: ({ userId, email }) => (
      <Link href={`/users/${userId}`} className="font-medium hover:underline">
        {email}
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: 170,
    cell: ({ status }) => <UserStatus status={status} />,
  },
  {
    id: 'roles',
    header: 'Roles',
    width: 220,
    sortable: false,
    cell: ({ roles }) => <BadgeList words={roles} />,
  },
  {
    id: 'mail',
    header: 'Latest mail',
    width: 130,
    sortable: false,
    cell: ({ email }) => {
      const mail = mails.get(email.toLowerCase())
      if (!mail) return <span className="text-muted-foreground">—</span>
      return (
        <Link href={`/mail?mail=${mail.id}`} title={mail.error ?? mail.subject}>
          <MailStatus status={mail.status} />
        </Link>
      )
    },
  },
  {
    id: 'lastSignInAt',
    header: 'Last sign-in',
    width: 150,
    cell: ({ lastSignInAt }) =>
      lastSignInAt ? <Time value={lastSignInAt} relative /> : <span>Never</span>,
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 165,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
]

/** The latest mail of each address; `mails` come with the latest first. */
export function latestByAddress(mails: readonly MailRow[]): Map<string, MailRow> {
  return new Map([...mails].reverse().map((mail) => [mail.to.toLowerCase(), mail]))
}
