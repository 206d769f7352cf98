'use client'
import { PlusIcon, UsersIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable } from '@/components/data-table/data-table'
import { FilterButton, FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
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
  const list = useListState()
  const router = useRouter()
  const answer = useSearch<UserRow>('EngineUsers', usersSearch(list))
  const rows = answer.data?.data ?? []
  const emails = rows.map(({ email }) => email)
  const mails = useSearch<MailRow>('EngineEmails', mailsSearch(emails), {
    enabled: rows.length > 0,
  })
  const columns = userColumns(latestByAddress(mails.data?.data ?? []))
  const create = (
    <Link href="/users/new" className={buttonClass({ variant: 'primary' })}>
      <PlusIcon aria-hidden />
      New user
    </Link>
  )
  return (
    <Page fill title="Users" description="Who may sign in, and what they may do." actions={create}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox list={list} label="Search by e-mail" />
        <FilterButton fields={USER_FIELDS} list={list} />
        <span className="ml-auto" />
        <ColumnsMenu columns={columns} list={list} layoutKey="users" />
      </div>
      <FilterChips fields={USER_FIELDS} list={list} />
      <DataTable
        label="Users"
        layoutKey="users"
        columns={columns}
        rows={rows}
        rowId={({ userId }) => userId}
        rowName={({ email }) => email}
        list={list}
        loading={answer}
        onOpen={({ userId }) => router.push(`/users/${userId}`)}
        empty={
          <EmptyState icon={UsersIcon} title="Nobody is here yet" actions={create}>
            Invite the people who work with the data.
          </EmptyState>
        }
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
    </Page>
  )
}
