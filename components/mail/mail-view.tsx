'use client'
import { MailIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useMemo } from 'react'
import { DataList } from '@/components/data-table/data-list'
import { useList } from '@/components/data-table/use-list'
import { EmptyState } from '@/components/ui/state'
import { mailColumns } from './mail-columns'
import { MailPanel } from './mail-panel'
import { MAIL_FIELDS, type MailRow, mailSearch } from './mail-search'

/** The outbox, the latest mail first. The open mail stands in the page's address. */
export function MailView() {
  const [opened, setOpened] = useQueryState('mail', parseAsString.withOptions({ history: 'push' }))
  const columns = useMemo(() => mailColumns((id) => void setOpened(id)), [setOpened])
  const from = useList<MailRow>('EngineEmails', mailSearch)
  return (
    <>
      <DataList
        label="Mails"
        layoutKey="mail"
        searchLabel="Search by address or subject"
        from={from}
        columns={columns}
        fields={MAIL_FIELDS}
        rowId={({ id }) => id}
        rowName={({ subject, to }) => `${subject} to ${to}`}
        onOpen={({ id }) => void setOpened(id)}
        empty={
          <EmptyState icon={MailIcon} title="No mail has been written yet">
            Invitations and resets are listed here, with what became of them.
          </EmptyState>
        }
      />
      {opened && <MailPanel key={opened} id={opened} onClose={() => void setOpened(null)} />}
    </>
  )
}
