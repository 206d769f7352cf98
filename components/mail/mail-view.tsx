'use client'
import { MailIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useMemo } from 'react'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable } from '@/components/data-table/data-table'
import { FilterButton, FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
import { EmptyState } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import { mailColumns } from './mail-columns'
import { MailPanel } from './mail-panel'
import { MAIL_FIELDS, type MailRow, mailSearch } from './mail-search'

/** The outbox, the latest mail first. The open mail stands in the page's address. */
export function MailView() {
  const list = useListState()
  const [opened, setOpened] = useQueryState('mail', parseAsString.withOptions({ history: 'push' }))
  const columns = useMemo(() => mailColumns((id) => void setOpened(id)), [setOpened])
  const answer = useSearch<MailRow>('EngineEmails', mailSearch(list))
  const rows = answer.data?.data ?? []
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox list={list} label="Search by address or subject" />
        <FilterButton fields={MAIL_FIELDS} list={list} />
        <span className="ml-auto" />
        <ColumnsMenu columns={columns} list={list} layoutKey="mail" />
      </div>
      <FilterChips fields={MAIL_FIELDS} list={list} />
      <DataTable
        label="Mails"
        layoutKey="mail"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ subject, to }) => `${subject} to ${to}`}
        list={list}
        loading={answer}
        onOpen={({ id }) => void setOpened(id)}
        empty={
          <EmptyState icon={MailIcon} title="No mail has been written yet">
            Invitations and resets are listed here, with what became of them.
          </EmptyState>
        }
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
      {opened && <MailPanel key={opened} id={opened} onClose={() => void setOpened(null)} />}
    </>
  )
}
