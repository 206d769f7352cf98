'use client'
import { MailIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { defineList, type Panel } from '@/components/lists/define-list'
import { useServerFacts } from '@/components/shell/server-facts'
import { Link } from '@/components/ui/link'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { MAIL_STATUSES } from '@/lib/mail/status'
import { MailPanel } from './mail-panel'
import { type MailRow, mailQuery } from './mail-search'
import { MailStatus } from './mail-status'

const FILTERS: FilterField[] = [
  { name: 'status', label: 'Status', kind: 'text', enum: [...MAIL_STATUSES] },
  { name: 'to', label: 'To', kind: 'text' },
  { name: 'subject', label: 'Subject', kind: 'text' },
  { name: 'template', label: 'Template', kind: 'text' },
  { name: 'attempts', label: 'Attempts', kind: 'integer' },
  { name: 'createdAt', label: 'Written', kind: 'datetime' },
  { name: 'sentAt', label: 'Sent', kind: 'datetime' },
  { name: 'error', label: 'Reason', kind: 'text' },
]

const COLUMNS: Column<MailRow>[] = [
  {
    id: 'subject',
    header: 'Subject',
    fixed: true,
    opens: true,
    width: 250,
    cell: ({ subject }) => subject,
  },
  { id: 'to', header: 'To', width: 200, cell: ({ to }) => to },
  {
    id: 'status',
    header: 'Status',
    width: 168,
    cell: ({ status }) => <MailStatus status={status} />,
  },
  { id: 'error', header: 'Reason', width: 200, cell: ({ error }) => error ?? '—' },
  { id: 'attempts', header: 'Attempts', align: 'end', width: 92, cell: ({ attempts }) => attempts },
  {
    id: 'createdAt',
    header: 'Written',
    width: 156,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: 'sentAt', header: 'Sent', width: 156, cell: ({ sentAt }) => <Time value={sentAt} /> },
  {
    id: 'template',
    header: 'Template',
    width: 200,
    hidden: true,
    cell: ({ template }) => <Badge>{template}</Badge>,
  },
]

/** The outbox, the latest mail first. */
export const MailList = defineList<MailRow>({
  label: 'Mails',
  layoutKey: 'mail',
  page: { title: 'Mail', description: <Description /> },
  query: mailQuery,
  toolbar: { searchLabel: 'Search by address or subject', filters: FILTERS },
  columns: COLUMNS,
  rowId: ({ id }) => id,
  rowName: ({ subject, to }) => `${subject} to ${to}`,
  usePanel,
  empty: {
    icon: MailIcon,
    title: 'No mail yet',
    text: 'Invitations and password resets are listed here with their delivery status.',
  },
})

/** The open mail stands in the address of the page. */
function usePanel(): Panel<MailRow> {
  const [opened, setOpened] = useQueryState('mail', parseAsString.withOptions({ history: 'push' }))
  return {
    open: ({ id }) => void setOpened(id),
    panel: opened && <MailPanel key={opened} id={opened} onClose={() => void setOpened(null)} />,
  }
}

function Description() {
  const { sendsMail } = useServerFacts()
  if (sendsMail) return 'Every mail and its delivery status. Content is removed once it is sent.'
  return (
    <>
      No provider is set, so mails are kept here to be read.{' '}
      <Link href="/settings" className="whitespace-nowrap underline underline-offset-2">
        Set one up
      </Link>
    </>
  )
}
