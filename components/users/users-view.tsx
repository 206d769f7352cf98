'use client'
import { PlusIcon, UsersIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { DataList } from '@/components/data-table/data-list'
import { useList } from '@/components/data-table/use-list'
import type { MailRow } from '@/components/mail/mail-search'
import { Page } from '@/components/shell/page'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import { latestByAddress, userColumns } from './user-columns'
import { mailsSearch, USER_FIELDS, type UserRow, usersSearch } from './users-search'

/** Everybody who has an account. */
export function UsersView() {
  const router = useRouter()
  const from = useList<UserRow>('EngineUsers', usersSearch)
  const emails = from.rows.map(({ email }) => email)
  const mails = useSearch<MailRow>('EngineEmails', mailsSearch(emails), {
    enabled: emails.length > 0,
  })
  const latest = mails.data?.data
  const columns = useMemo(() => userColumns(latestByAddress(latest ?? [])), [latest])
  const create = (
    <Link href="/users/new" className={buttonClass({ variant: 'primary' })}>
      <PlusIcon aria-hidden />
      New user
    </Link>
  )
  return (
    <Page fill title="Users" description="Who may sign in, and what they may do." actions={create}>
      <DataList
        label="Users"
        layoutKey="users"
        searchLabel="Search by e-mail"
        from={from}
        columns={columns}
        fields={USER_FIELDS}
        rowId={({ userId }) => userId}
        rowName={({ email }) => email}
        onOpen={({ userId }) => router.push(`/users/${userId}`)}
        empty={
          <EmptyState icon={UsersIcon} title="Nobody is here yet" actions={create}>
            Invite the people who work with the data.
          </EmptyState>
        }
      />
    </Page>
  )
}
